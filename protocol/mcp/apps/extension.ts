import type { ViewName } from '#src/core/html/view-names.ts'

/** The media type of documents that hosts show as MCP Apps. */
export const appMimeType = 'text/html;profile=mcp-app'

/** What a server declares that has such documents. */
export const appsExtension = { 'io.modelcontextprotocol/ui': { mimeTypes: [appMimeType] } }

/** Where the document of a view is read. */
export function viewUri(name: ViewName): string {
  return `ui://abode/${name}`
}

/** What hosts need to know of such a document: it asks for nothing from anywhere, and is best seen in a frame. */
export const appMeta = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: true,
  },
}
