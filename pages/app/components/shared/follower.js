// The life cycle of a component that follows a play head: built once, updated with new data and at every move of the
// head.

import { onRemoval, rootOf } from "./component.js";
import { link } from "./link.js";

/**
 * Return the script of component `name`. `state` holds its data and its link. `build(root, state)` runs once,
 * `offer(root, state)` with new data, `show(state)` after it and at every move of the head while the component is in
 * view, `leave(state)` when it is removed. `steps(data)` is the number of steps of its text.
 * @template {Follower} Name
 * @param {Name} name
 * @param {{steps?: Steps<Data<Name>>, build: (root: HTMLElement, state: State<Name>) => void,
 *   offer?: (root: HTMLElement, state: State<Name>) => void, show: (state: State<Name>) => void,
 *   leave?: (state: State<Name>) => void}} parts
 * @returns {(component: Component<Name>) => () => void}
 */
export function follower(name, { steps, build, offer, show, leave }) {
  return (/** @type {any} */ { parentElement, data }) => {
    const [root, state] = rootOf(parentElement, name);
    state.data = data;
    if (!state.link) {
      state.link = link(data.link);
      build(root, state);
      state.unfollow = state.link.listen(() => show(state), root);
    }
    if (steps) state.link.follow(data.text, steps(data));
    offer?.(root, state);
    show(state);
    return onRemoval(root, () => {
      state.unfollow();
      leave?.(state);
    });
  };
}
