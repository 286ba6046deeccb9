/** Levels of nesting that an input may have. */
export const depthAtMost = 32
/** Members and items that an input may have, all levels together. */
export const nodesAtMost = 200_000
/** From so many on, each step over all of them takes a turn of the event loop of its own. */
export const heavyNodes = 5000
/** The same of what a door takes in or gives out as one text. */
export const heavyBytes = 65_536
/** The same of a text. */
export const heavyCharacters = 262_144
