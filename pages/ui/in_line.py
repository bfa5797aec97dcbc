"""Whole pages are drawn one after the other, in the order in which they were asked for.

Of a class that comes at once all pages would be drawn together, a bit of each by turns, and everybody would wait until the last
one is done. One after the other, the last one takes no longer and the others half as long. A page for which something long is
computed keeps nobody waiting after a moment. What moves on a page, and what is pressed in a part of it, is not in this line.
"""

from functools import wraps

from streamlit.runtime.scriptrunner.script_runner import RerunData, ScriptRunner

from core.training.line import Line

line = Line()


def draw_in_line() -> None:
    """From now on whole pages wait for each other. Once per process."""
    run = ScriptRunner._run_script

    @wraps(run)
    def run_in_line(runner: ScriptRunner, wish: RerunData) -> None:
        if wish.fragment_id_queue:
            run(runner, wish)
        else:
            with line:
                run(runner, wish)

    ScriptRunner._run_script = run_in_line
