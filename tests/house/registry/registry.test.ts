import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#adapters/clock/system.ts'
import { openSchemas } from '#adapters/threads/schemas/schemas.ts'
import type { JsonSchemas } from '#src/ports/json-schemas.ts'
import { read } from '../tree.ts'
import { ownPackage, registryEntry } from './entry.ts'
import { configs, links, withLinks, withPackage, type Config } from './links.ts'

describe('the entry of the MCP registry', () => {
  // The fixture is an object.
  const schema = JSON.parse(read('tests/house/registry/server.schema.json')) as Record<
    string,
    unknown
  >
  let schemas: JsonSchemas
  beforeAll(() => {
    schemas = openSchemas(systemClock)
  })
  afterAll(() => schemas.close())

  it('says of the package and of its settings what they say of themselves', async () => {
    const text = `${JSON.stringify(registryEntry(), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('../../../server.json')
  })

  it('is as the official schema has it', async () => {
    expect(await schemas.misfits(schema, JSON.parse(read('server.json')), 'a')).toEqual([])
  })

  it.each([
    ['no name', { name: undefined }],
    ['a name without an owner', { name: 'abode' }],
    ['a long description', { description: 'a'.repeat(101) }],
    ['an unknown transport', { remotes: [{ type: 'websocket', url: 'https://a.example' }] }],
    ['an argument without a value', { packages: [packageWith([{ type: 'positional' }])] }],
  ])('would not be with %s', async (_, changed) => {
    const value: unknown = JSON.parse(JSON.stringify({ ...registryEntry(), ...changed }))
    expect(await schemas.misfits(schema, value, 'a')).not.toEqual([])
  })

  it('has addresses as the official registry takes them: encrypted, each part that is open explained', () => {
    for (const { url, variables } of registryEntry().remotes) {
      expect(url).toMatch(/^https:\/\//)
      const open = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(open).toEqual(Object.keys(variables))
    }
  })

  it('is found by the name that the package gives, in a scope', () => {
    expect(ownPackage.mcpName).toMatch(/^[a-z0-9.-]+\/[a-z0-9._-]+$/)
    expect(ownPackage.name).toMatch(/^@[a-z0-9-]+\/abode$/)
  })
})

function packageWith(packageArguments: object[]): object {
  return { ...registryEntry().packages[0], packageArguments }
}

/** What a host reads in a link: decoded by the rules that each gives, and not by ours. */
const readings: Readonly<Record<string, (link: string) => Config>> = {
  Cursor: (link) => fromBase64(link, 'cursor://anysphere.cursor-deeplink/mcp/install'),
  'LM Studio': (link) => fromBase64(link, 'lmstudio://add_mcp'),
  'VS Code': (link) => {
    const [start = '', query = ''] = link.split('?')
    expect(start).toBe('vscode:mcp/install')
    const { name, type, ...config } = JSON.parse(decodeURIComponent(query)) as Config & {
      name: string
      type: string
    }
    expect([name, type]).toEqual(['abode', config.url === undefined ? 'stdio' : 'http'])
    return config
  },
  Goose: (link) => {
    const { protocol, host, searchParams } = new URL(link)
    expect([protocol, host, searchParams.get('id')]).toEqual(['goose:', 'extension', 'abode'])
    const [url, command] = [searchParams.get('url'), searchParams.get('cmd')]
    if (url === null) return { command: command ?? '', args: searchParams.getAll('arg') }
    expect(searchParams.get('type')).toBe('streamable_http')
    return { url }
  },
}

function fromBase64(link: string, start: string): Config {
  const { searchParams } = new URL(link)
  expect(link.split('?')[0]).toBe(start)
  expect(searchParams.get('name')).toBe('abode')
  // What the link carries is the entry of a configuration file.
  return JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString()) as Config
}

describe('the links of docs/connecting.md', () => {
  // As it is to be: the first of these tests holds the file to it, and with --update writes it at the end.
  const page = withPackage(withLinks(read('docs/connecting.md')))

  it('are those of every host that has such links', async () => {
    await expect(page).toMatchFileSnapshot('../../../docs/connecting.md')
    expect(Object.keys(readings)).toEqual(expect.arrayContaining(Object.keys(links)))
  })

  it.each(Object.entries(readings))('carry for %s what the text says', (host, readIn) => {
    const [, row = ''] = new RegExp(`^\\| ${host} (\\|.*install.*)$`, 'm').exec(page) ?? []
    const found = [...row.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => readIn(link))
    expect(found).toEqual([configs.address, configs.package])
    expect(page).toContain(`\`${configs.address.url}\``)
    expect(page).toContain(`\`${[configs.package.command, ...configs.package.args].join(' ')}\``)
  })
})

it('the page for operators names the package as it is called', async () => {
  const text = withPackage(read('docs/operating.md'))
  await expect(text).toMatchFileSnapshot('../../../docs/operating.md')
})
