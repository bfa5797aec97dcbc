"""What the process asks of Python and of the system when it starts."""

import contextlib
import gc


def freeze_gc() -> None:
    """Exclude everything that is there now, for good, from garbage collection: modules, texts, what all sessions share."""
    gc.collect()
    gc.freeze()


def raise_file_limit() -> None:
    """Allow as many open files as the system does at most: a session needs five, and some systems begin with 256."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
