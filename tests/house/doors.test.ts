import { describe, expect, it } from 'vitest'
import { operations } from '#src/catalog.ts'
import { roles, withRole } from '#src/core/roles.ts'
import { visitNodes } from './nodes.ts'
import { read, sources } from './tree.ts'

const doors = sources('protocol', 'adapters/http')
const names = new Set(operations.map(({ name }) => name))
const groups = new Set([...names].map((name) => `${name.split('.', 1)[0]}.`))

/** Texts that tell a reader which operation to call: they are read, and nothing is looked up by them. */
const told: Readonly<Record<string, readonly string[]>> = {
  // How a card says where credentials come from.
  'protocol/a2a/card/presentation.ts': [
    'agent_claim.create',
    'commons.challenge.get',
    'commons.identities.create',
  ],
}

/** The strings of a file, and the parts of its templates. */
function stringsOf(path: string): string[] {
  const found: string[] = []
  visitNodes(path, ({ type, value }) => {
    if (type === 'Literal' && typeof value === 'string') found.push(value)
    if (type !== 'TemplateElement') return
    // What the parser gives of a part of a template.
    const { cooked } = value as { cooked?: string | null }
    if (typeof cooked === 'string') found.push(cooked)
  })
  return found
}

/** Names of operations in a text, each as a word. */
function namedIn(text: string): string[] {
  const words = text.match(/[a-z_]+(?:\.[a-z_]+)+/g) ?? []
  return words.filter((word) => names.has(word))
}

describe('the doors', () => {
  it('are read as they are written', () => {
    expect(namedIn('Call runs.get, then abode://operations/chat.push.set.')).toEqual([
      'runs.get',
      'chat.push.set',
    ])
    expect(stringsOf('protocol/mcp/templates.ts')).toContain('abode://runs/{run_id}')
  })

  it('find no operation by its name, or by the beginning of one', () => {
    const found = doors.flatMap((path) =>
      stringsOf(path)
        .filter((text) => names.has(text) || groups.has(text))
        .map((text) => `${path}: ${text}`),
    )
    expect(found).toEqual([])
  })

  it('name operations in the words of few texts alone', () => {
    const found = doors.flatMap((path) => {
      const inTexts = new Set(stringsOf(path).flatMap(namedIn))
      return inTexts.size > 0 ? [[path, [...inTexts].sort()]] : []
    })
    expect(Object.fromEntries(found)).toEqual(told)
  })

  it('are each given one operation for a role', () => {
    for (const role of roles) {
      const having = operations.filter((op) => op.role === role)
      expect(having, role).toEqual([withRole(operations, role)])
    }
  })

  it('propose values for a member from one list', () => {
    const proposed = operations.flatMap(({ proposes }) => (proposes ? [proposes.member] : []))
    expect(new Set(proposed).size).toBe(proposed.length)
  })
})

describe('operations', () => {
  it('are imported by the catalog alone', () => {
    const others = sources('src', 'protocol', 'adapters').filter(
      (path) =>
        !/^src\/(?:catalog|operations)\//.test(path) && read(path).includes('#src/operations/'),
    )
    expect(others).toEqual([])
  })
})
