/** Levels of nesting that an input may have. */
export const depthAtMost = 32
/** Members and items that an input may have, all levels together. */
export const nodesAtMost = 200_000
