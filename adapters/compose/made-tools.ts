/**
 * The descriptors of the MCP tools of the whole catalog, as JSON: a build has them here, because to make
 * them takes longer than the rest of a start. Empty where the sources run.
 */
export const madeTools: string = ''
