/** Levels of nesting that an input may have. */
export const depthAtMost = 32
/** Members and items that an input may have, all levels together. */
export const nodesAtMost = 200_000
/** What to do about an input that is over one of these two. */
export const lessDeep = `Send less: at most ${depthAtMost} levels, and ${nodesAtMost} members and items.`
/** What to do about a body that is not JSON. */
export const oneValue = 'Send one JSON value, in UTF-8.'
/** From so many members and items on, each step over all of them takes a turn of the event loop of its own. */
export const heavyNodes = 5000
/** The same threshold in bytes, for a text that a door takes in or gives out. */
export const heavyBytes = 65_536
/** The same threshold in characters. */
export const heavyCharacters = 262_144
/** Characters of a text in which JSON is read in place of a value: parsing it fills one step. */
export const jsonTextAtMost = 65_536
