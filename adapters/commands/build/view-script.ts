import { join } from 'node:path'
import type { rolldown } from 'rolldown'
import { root } from '#adapters/process/build.js'

const entry = 'protocol/mcp/apps/client/main.ts'
const banner =
  '/* Holds @modelcontextprotocol/ext-apps, client and core (Apache-2.0 and MIT) and zod (MIT), with the licences in their packages. */'

/** The script of the documents of MCP Apps: the views, and the bridge to their host. It is the same for each. */
export async function viewScript(bundler: typeof rolldown): Promise<string> {
  const made = await bundler({
    input: join(root, entry),
    cwd: root,
    platform: 'browser',
    logLevel: 'silent',
    // Much of the bridge's packages is for servers and other clients, and has no effect unless it is used.
    treeshake: {
      moduleSideEffects: (id) => id.endsWith(entry),
      propertyReadSideEffects: false,
      unknownGlobalSideEffects: false,
    },
  })
  try {
    const { output } = await made.generate({ format: 'esm', minify: true })
    // The end of a script would end it in its document.
    return banner + output[0].code.replaceAll('</script', String.raw`<\/script`).trim()
  } finally {
    await made.close()
  }
}
