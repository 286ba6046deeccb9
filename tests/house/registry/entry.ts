import { usage } from '#adapters/commands/mcp/arguments.ts'
import { table } from '#adapters/config/table.ts'
import { read } from '../tree.ts'

/** What is said of the package in its own file. */
interface Package {
  name: string
  mcpName: string
  version: string
  description: string
}

// The package file is ours.
export const ownPackage = JSON.parse(read('package.json')) as Package

/** The settings of the server that a host asks for where it starts one. */
const asked = [
  'ABODE_DEFAULT_MODEL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'ANTHROPIC_API_KEY',
] as const
const key = 'A key of your own; without one it gets a key by itself and keeps it in a file'
const invitation = 'An invitation code, for a service that gives keys by invitation'

/** The entry of the MCP registry: what `server.json` has. */
export function registryEntry({ name, mcpName, version, description }: Package = ownPackage) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Abode',
    description,
    version,
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }, ...optionsIn(usage)],
        environmentVariables: [
          { name: 'ABODE_KEY', description: key, isSecret: true },
          { name: 'ABODE_INVITATION', description: invitation, isSecret: true },
          ...asked.map(settingOf),
        ],
      },
    ],
    remotes: [
      { type: 'streamable-http', url: addressOf('/mcp/account'), variables: { abode_host: host } },
      {
        type: 'streamable-http',
        url: addressOf('/mcp'),
        headers: [
          {
            name: 'Authorization',
            value: 'Bearer {api_key}',
            isRequired: true,
            isSecret: true,
            variables: {
              api_key: { description: 'A key of the server', isRequired: true, isSecret: true },
            },
          },
        ],
        variables: { abode_host: host },
      },
    ],
  }
}

const host = {
  description: 'Where your server is: its host, with its port if that is not 443',
  isRequired: true,
  placeholder: 'abode.example',
}

/** Everybody runs a server of their own, so that the host is for the user to say. */
function addressOf(door: string): string {
  return `https://{abode_host}${door}?toolsets=core`
}

/** The options with a value, as the usage of the command has them. */
function optionsIn(text: string) {
  const lines = [...text.matchAll(/^ {2}(--[a-z-]{1,20}) ([A-Z]{1,10}) {1,10}(\S.*)$/gm)]
  return lines.map(([, name = '', kind = '', description = '']) => ({
    type: 'named',
    name,
    description: `${description.charAt(0).toUpperCase()}${description.slice(1)}`,
    ...(/^(?:DIR|FILE)$/.test(kind) && { format: 'filepath' }),
  }))
}

function settingOf(name: (typeof asked)[number]) {
  const { meaning, isSecret } = table[name]
  return { name, description: meaning, ...(isSecret && { isSecret }) }
}
