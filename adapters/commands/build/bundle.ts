import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { rolldown } from 'rolldown'
import { catalog } from '#src/catalog.ts'
import { offered } from '#src/core/operation-facts.ts'
import { atOnce } from '#src/core/turns/portions.ts'
import { toolSteps } from '#protocol/mcp/tools.ts'
import { builtName, root } from '#adapters/process/build.js'
import { guide, programs } from '#adapters/process/programs.js'
import { inOneByte } from './one-byte.ts'
import { sourcePaths } from './sources.ts'

/** What is started by itself. */
const started = [...[...programs.values()].map(({ source }) => source), guide]
/** How a module names another file: a thread's code, a guide. */
const filePattern = /new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g

/**
 * Bundles our own modules: one entry for each program and for the code of each thread, and chunks for what
 * they share or load later. Most packages stay where they are.
 * @param folder an empty folder, two levels below the root
 */
export async function bundle(bundler: typeof rolldown, folder: string): Promise<void> {
  const sources = [...started, ...(await threadsIn(await sourcePaths()))]
  const input = Object.fromEntries(
    sources.map((source) => [builtName(source).replace(/\.js$/, ''), join(root, source)]),
  )
  const made = await bundler({
    input,
    cwd: root,
    platform: 'node',
    external: (id) => isOutside(id),
    plugins: [
      {
        name: 'http',
        resolveId: { filter: { id: isHttp }, handler: () => httpModule },
        load: { filter: { id: /^\0http$/ }, handler: () => ({ code: httpCode, moduleType: 'js' }) },
      },
      {
        name: 'tools',
        load: {
          filter: { id: /adapters[\\/]compose[\\/]made-tools\.ts$/ },
          handler: () => ({ code: madeTools(), moduleType: 'js' }),
        },
      },
      {
        name: 'files',
        transform: {
          filter: { code: 'import.meta.url' },
          handler: (code, id) => ({ code: withBuiltFiles(code, id, folder), map: null }),
        },
      },
      {
        name: 'one byte',
        // The last step: what prints the code would undo it. Lines stay the same, for the source map.
        generateBundle: (_, files) => {
          for (const file of Object.values(files)) {
            if (file.type === 'chunk') file.code = inOneByte(file.code)
          }
        },
      },
    ],
  })
  try {
    await made.write({
      dir: folder,
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    })
  } finally {
    await made.close()
  }
}

/**
 * An import of `node:http` reads all that it exports, and with that loads Node's own fetch, which takes a tenth
 * of a start. Here it is taken from Node by name.
 */
const isHttp = /^(?:node:)?http$/
const httpModule = '\0http'
const httpCode = `
  const http = process.getBuiltinModule('node:http')
  export const { Agent, IncomingMessage, ServerResponse, STATUS_CODES, createServer } = http
  export default http
`
/**
 * Packages that are part of the build: one imports it, and the others, with what they import, have so many files that to
 * find each would hold the loop. A2A is loaded while callers wait, the authorization server when a stranger asks for it.
 */
const packagesInside = new Set([
  '@koa/router',
  '@a2a-js/sdk',
  'json-rpc-2.0',
  'oidc-provider',
  'jose',
  'debug',
  'ms',
])
const packageName = /^(?:@[^/]+\/)?[^/]+/

/** Whether an import stays as it is. */
function isOutside(id: string): boolean {
  const [name = ''] = packageName.exec(id) ?? []
  if (isHttp.test(id) || packagesInside.has(name)) return false
  return !/^[.#/\0]/.test(id) && !/^[A-Za-z]:[\\/]/.test(id)
}

/** The module of the tools, with them in it. */
function madeTools(): string {
  const tools = JSON.stringify(atOnce(toolSteps(offered(catalog))))
  return `export const madeTools = ${JSON.stringify(tools)}`
}

/** The sources that others start as threads, by the addresses in them. */
async function threadsIn(paths: readonly string[]): Promise<string[]> {
  const named = await Promise.all(
    paths.map(async (path) => {
      const code = await readFile(join(root, path), 'utf8')
      return [...code.matchAll(filePattern)].map(([, file = '']) => placeOf(file, join(root, path)))
    }),
  )
  const threads = named.flat().filter((path) => path.endsWith('.ts'))
  return [...new Set(threads.map((path) => relative(root, path)))]
}

/** The code with the addresses of other files as they are seen from the build. */
function withBuiltFiles(code: string, id: string, folder: string): string {
  return code.replaceAll(filePattern, (_, file: string) => {
    const place = placeOf(file, id)
    const path = place.endsWith('.ts')
      ? `./${builtName(relative(root, place))}`
      : `${relative(folder, place)}${file.endsWith('/') ? '/' : ''}`
    return `new URL(${JSON.stringify(path.replaceAll('\\', '/'))}, import.meta.url)`
  })
}

function placeOf(file: string, from: string): string {
  return resolve(dirname(from), file)
}
