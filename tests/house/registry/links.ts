import { ownPackage } from './entry.ts'

/** How an MCP host is told of a server. */
export interface Config {
  url?: string
  command?: string
  args?: readonly string[]
}

const name = 'abode'
const about = 'The server where AI agents live'
/** What the links of the page install. */
export const configs = {
  address: { url: 'http://127.0.0.1:8080/mcp/account?toolsets=core' },
  package: { command: 'npx', args: ['-y', ownPackage.name, 'mcp'] },
} as const satisfies Record<string, Config>

/** The hosts that install a server by a link, each with its own form of it. */
export const links: Readonly<Record<string, (config: Config) => string>> = {
  Cursor: (config) =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${inBase64(config)}`,
  'VS Code': (config) => {
    const type = config.url === undefined ? 'stdio' : 'http'
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type, ...config }))}`
  },
  'LM Studio': (config) => `lmstudio://add_mcp?name=${name}&config=${inBase64(config)}`,
  Goose: ({ url, command = '', args = [] }) => {
    const pairs: [string, string][] =
      url === undefined
        ? [['cmd', command], ...args.map((word): [string, string] => ['arg', word])]
        : [
            ['type', 'streamable_http'],
            ['url', url],
          ]
    const all = [...pairs, ['id', name], ['name', 'Abode'], ['description', about]]
    return `goose://extension?${all.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`
  },
}

function inBase64(config: Config): string {
  return encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'))
}

const begin = '<!-- links: npm run docs -->\n'
const end = '<!-- end of links -->'

/** The page with its links as they are to be. */
export function withLinks(page: string): string {
  const [before = '', rest = ''] = page.split(begin)
  const after = rest.slice(rest.indexOf(end))
  const rows = Object.entries(links).map(
    ([host, linkOf]) =>
      `| ${host} | [install](${linkOf(configs.address)}) | [install](${linkOf(configs.package)}) |\n`,
  )
  return `${before}${begin}| | The address alone | The package |\n|---|---|---|\n${rows.join('')}${after}`
}

/** A text with the name and the version of the package as they are now. */
export function withPackage(text: string): string {
  const { name: own, version } = ownPackage
  return text
    .replaceAll(/@[a-z0-9-]{1,60}\/abode\b(?:@\d[\w.-]{0,30}(?=[` ]))?/g, (found) =>
      found.lastIndexOf('@') > 0 ? `${own}@${version}` : own,
    )
    .replaceAll(/[a-z0-9-]{1,60}-abode-\d[\w.-]{0,30}\.tgz/g, archiveName(own, version))
}

/** The file that `npm pack` writes. */
function archiveName(own: string, version: string): string {
  return `${own.replace('@', '').replace('/', '-')}-${version}.tgz`
}
