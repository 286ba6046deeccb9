import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { offered } from '#src/core/operation-facts.ts'
import { ToolTable } from '#protocol/mcp/tools.ts'
import { inToolNames } from '#protocol/mcp/tool-words.ts'

const tools = new ToolTable(offered(catalog))
const methods = new Set(offered(catalog).map(({ name }) => name))

/** What is said to readers in a tool: its description, and those of its schemas. */
function textsOf(value: unknown, member = ''): string[] {
  if (typeof value === 'string') return member === 'description' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, name))
}

describe('the texts of tools', () => {
  it.each([
    ['all', undefined],
    ['core', ['core'] as const],
  ])('of %s name operations as tools', (_, toolsets) => {
    const texts = tools
      .list({ toolsets: toolsets && [...toolsets], readonly: false })
      .flatMap((tool) => textsOf(tool))
    expect(texts.length).toBeGreaterThan(30)
    const named = texts.flatMap((text) => text.match(/[a-z_]+(?:\.[a-z_]+)+/g) ?? [])
    expect(named.filter((name) => methods.has(name))).toEqual([])
  })

  it('leave what is no operation as it is', () => {
    const names = new Set(['tasks_run'])
    expect(inToolNames('tasks.run, heart.tasks and a.b.', names)).toBe(
      'tasks_run, heart.tasks and a.b.',
    )
  })

  it('of summaries, which refusals repeat at every door, name no operation', () => {
    for (const { name, summary } of catalog) {
      const named = summary.match(/[a-z_]+(?:\.[a-z_]+)+/g) ?? []
      expect([name, named.filter((one) => methods.has(one))]).toEqual([name, []])
    }
  })
})
