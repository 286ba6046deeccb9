/**
 * The MCP tools of the whole catalog, as JSON: a build has them here, because to make
 * them takes more than half as long as a start does. Empty where the sources run.
 */
export const madeTools: string = ''
