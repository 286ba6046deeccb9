import { describe, expect, test } from 'vitest'
import { toolsets, offered, type Toolset } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { catalog } from '#src/catalog.ts'
import { mapSchemas, type JsonSchema } from '#src/documents/schemas/expand.ts'
import { ToolTable } from '#protocol/mcp/tools.ts'
import { smallCatalog } from './mcp-harness.ts'

const tools = new ToolTable(smallCatalog)

const refusedByHosts = ['$ref', '$defs', '$schema', 'propertyNames', 'id']

const saysNothing = new Set(['title', 'description', 'default', 'examples', 'deprecated'])

/** The keywords of a schema, at any depth, that some host refuses or stumbles over. */
function faultsOf(schema: JsonSchema): string[] {
  const faults = refusedByHosts.filter((keyword) => schema[keyword] !== undefined)
  if (Array.isArray(schema['type'])) faults.push('type')
  if (Object.keys(schema).every((keyword) => saysNothing.has(keyword))) faults.push('anything')
  if (schema['type'] === 'array' && schema['items'] === undefined) faults.push('items')
  mapSchemas(schema, (inner) => {
    faults.push(...faultsOf(inner))
    return inner
  })
  return faults
}

function named(name: string) {
  const found = tools.descriptors.find((tool) => tool.name === name)
  if (!found) throw new Error(`no tool ${name}`)
  return found
}

describe('the tools of a catalog', () => {
  test('stand in document order', () => {
    expect(tools.descriptors.map(({ name }) => name)).toEqual(
      smallCatalog.map((op) => op.name.replaceAll('.', '_')),
    )
  })

  test('say what they do, who may call them, how to retry, and give an example', () => {
    expect(named('notes_create')).toMatchObject({
      title: 'Notes: create',
      description: [
        'Write a note.',
        'It is kept until it is deleted.',
        'Needs a key of the account that is not scoped to one agent.',
        'Send one _meta["idempotency-key"] per intended effect, and the same one again when retrying.',
        'Example: {"id":"n1","text":"hello"}',
      ].join('\n'),
    })
    expect(named('health_get').description).toContain('No key needed.')
    expect(named('notes_get').description).toContain('acts as the agent')
    expect(named('notes_get').description).not.toContain('idempotency')
  })

  test.each([
    ['notes_get', [true, false, true, false]],
    ['notes_create', [false, false, false, true]],
    ['notes_delete', [false, true, true, false]],
    ['health_get', [true, false, true, false]],
  ])('%s is annotated honestly', (name, [reads, destroys, repeatable, open]) => {
    expect(named(name).annotations).toEqual({
      readOnlyHint: reads,
      destructiveHint: destroys,
      idempotentHint: repeatable,
      openWorldHint: open,
    })
  })

  test('are refused at start when hosts would refuse them', () => {
    const [first] = smallCatalog
    const renamed = (name: string): Operation[] => (first ? [{ ...first, name }] : [])
    expect(() => new ToolTable(renamed(`a.${'b'.repeat(46)}`))).not.toThrow()
    expect(() => new ToolTable(renamed(`a.${'b'.repeat(47)}`))).toThrow('hosts would refuse')
    expect(() => new ToolTable(renamed('A.b'))).toThrow('hosts would refuse')
    expect(() => new ToolTable([...renamed('a.b_c'), ...renamed('a_b.c')])).toThrow('share')
  })
})

describe('a list of tools', () => {
  const shown = (selection: Parameters<ToolTable['list']>[0]) =>
    tools.list(selection).map(({ name }) => name)

  test('shows the tools of the toolsets that were asked for', () => {
    expect(shown({ toolsets: ['core'], readonly: false })).toEqual([
      'health_get',
      'notes_create',
      'notes_get',
    ])
    expect(shown({ toolsets: ['account', 'messages'], readonly: false })).toEqual([
      'notes_create',
      'notes_delete',
    ])
  })

  test('shows only what changes nothing when asked so', () => {
    expect(shown({ toolsets: ['core'], readonly: true })).toEqual(['health_get', 'notes_get'])
  })

  test('is the same list for the same selection, in any order', () => {
    const list = tools.list({ toolsets: ['core', 'agents'], readonly: false })
    expect(tools.list({ toolsets: ['agents', 'core', 'core'], readonly: false })).toBe(list)
  })
})

describe('the tools of the service', () => {
  const all = new ToolTable(offered(catalog))
  const bytes = (list: readonly unknown[]) => Buffer.byteLength(JSON.stringify(list))

  test('tell hosts that showing the notices marks them', () => {
    const inbox = all.descriptors.find(({ name }) => name === 'account_inbox')
    expect(inbox?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    const shown = all.list({ toolsets: ['account'], readonly: true }).map(({ name }) => name)
    expect(shown).toContain('account_get')
    expect(shown).not.toContain('account_inbox')
  })

  test('fit what a host can hold', () => {
    expect(bytes(all.descriptors)).toBeLessThan(250_000)
    const core = all.list({ toolsets: ['core'], readonly: false })
    expect(core.length).toBeLessThanOrEqual(40)
    // With the rest of the answer.
    expect(bytes(core) + 160).toBeLessThanOrEqual(25_000)
  })

  const core = all.list({ toolsets: ['core'], readonly: false })

  test.each(core.filter(({ name }) => all.find(name)))(
    '$name says in the list of the core when to use it, in schemas that hosts accept',
    (tool) => {
      const op = offered(catalog).find((one) => all.find(tool.name) === one)
      expect(op?.use?.length).toBeGreaterThan(20)
      expect(tool.description).toContain(op?.use)
      expect(tool).not.toHaveProperty('outputSchema')
      expect(faultsOf(tool.inputSchema)).toEqual([])
      expect(Object.keys(tool.inputSchema['properties'] ?? {})).toEqual(
        Object.keys(op?.input.shape ?? {}),
      )
    },
  )

  test('name in the list of the core only tools that it shows', () => {
    const shown = new Set(core.map(({ name }) => name))
    const names = new Set(
      all.list({ toolsets: undefined, readonly: false }).map(({ name }) => name),
    )
    for (const { name: own, description, inputSchema } of core) {
      // Its example is of what is not shown.
      if (own === 'operations_call') continue
      const said =
        `${description} ${JSON.stringify(inputSchema)}`.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
      expect(said.filter((name) => names.has(name) && !shown.has(name))).toEqual([])
    }
  })

  test('name the members of a document once in the list of the core, and where each is described', () => {
    const described = (name: string): string =>
      JSON.stringify(core.find((tool) => tool.name === name)?.inputSchema)
    expect(described('agent_apps_provision')).toContain('Members: manifest_version, app_id')
    expect(described('agent_apps_validate')).toContain('Members as in agent_apps_provision.')
    expect(described('tasks_create')).toContain('output_sharing')
    expect(described('tasks_update')).toContain('Members as in tasks_create.')
  })

  test('stand in full where other toolsets are asked for too', () => {
    const both = all.list({ toolsets: ['core', 'runs'], readonly: false })
    expect(both.find(({ name }) => name === 'runs_get')).toHaveProperty('outputSchema')
  })

  test.each(all.descriptors)(
    '$name has schemas that hosts accept',
    ({ inputSchema, outputSchema }) => {
      for (const schema of [inputSchema, ...(outputSchema ? [outputSchema] : [])]) {
        expect(schema.type).toBe('object')
        expect(faultsOf(schema)).toEqual([])
      }
    },
  )

  const lists = [undefined, ...toolsets].flatMap((name) =>
    [false, true].map((readonly) => ({ name: name ?? 'all', readonly, toolsets: name && [name] })),
  )

  test.each(lists)(
    'of $name, readonly $readonly, refer to none that the list lacks',
    ({ toolsets: chosen, readonly }) => {
      const list = all.list({ toolsets: chosen, readonly })
      const shown = new Set(list.map(({ name }) => name))
      for (const tool of list) {
        expect(faultsOf(tool.inputSchema)).toEqual([])
        const texts = JSON.stringify(tool)
        const homes = [...texts.matchAll(/\b(?:as in|members as the \w+ of) (\w+)\./gi)]
        const lacking = homes.flatMap(([, home = '']) =>
          all.find(home) && !shown.has(home) ? [home] : [],
        )
        expect([tool.name, lacking]).toEqual([tool.name, []])
      }
    },
  )

  test('spell out in a list what the whole list tells of elsewhere, once', () => {
    const inputs = (readonly: boolean, ...chosen: Toolset[]) => {
      const list = all.list({ toolsets: chosen, readonly })
      return (name: string) =>
        list.find((tool) => tool.name === name)?.inputSchema['properties'] as JsonSchema
    }
    const agents = inputs(false, 'agents')
    expect(agents('characters_create')).toMatchObject({
      character: {
        properties: {
          heart: {
            anyOf: [{ properties: { tasks: { items: { properties: { prompt: {} } } } } }, {}],
          },
        },
      },
    })
    const files = ['characters_import', 'characters_photos_add']
    const said = files.map((name) => agents(name)['file'])
    expect(said).toContainEqual(expect.objectContaining({ properties: expect.anything() }))
    expect(said).toContainEqual({
      type: 'object',
      description: expect.stringMatching(/^As in characters_(?:import|photos_add)\.$/),
    })
    const checks = inputs(true, 'apps')
    expect([checks('agent_apps_validate'), checks('agent_apps_plan')]).toMatchObject([
      { manifest: { properties: { app_id: {}, agents: {} } } },
      { manifest: { description: 'Members as the manifest of agent_apps_validate.' } },
    ])
    expect(inputs(true, 'core')('agent_apps_validate')).toMatchObject({
      manifest: { description: expect.stringContaining('operations_get shows each.') },
    })
    expect(inputs(false, 'agents', 'tasks')('characters_create')).toEqual(
      all.descriptors.find(({ name }) => name === 'characters_create')?.inputSchema['properties'],
    )
  })

  test('each stand in a toolset', () => {
    const reachable = new Set(
      toolsets
        .flatMap((name) => all.list({ toolsets: [name], readonly: false }))
        .map(({ name }) => name),
    )
    expect(all.descriptors.filter(({ name }) => !reachable.has(name))).toEqual([])
  })
})
