import { describe, expect, it } from 'vitest'
import { settings } from '#adapters/config/read.ts'
import { catalog } from '#src/catalog.ts'
import { codes } from '#src/core/errors.ts'
import { operationsPage } from '#src/documents/operations.ts'
import { platformEvents } from '#src/core/vocabulary.ts'
import { read } from './tree.ts'

const readme = read('README.md')
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts

describe('the README', () => {
  it('lists every setting of the process with its default, and no other', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| ([^|]*) \|/gm)]
    expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(settings.map(({ name }) => name)))
    expect(rows).toHaveLength(settings.length)
  })

  it('names the two commands that the CI run calls', () => {
    expect(readme).toContain('npm ci && npm start')
    expect(readme).toContain('npm ci && npm test')
    expect(read('.ci/run')).toMatch(/npm test\b/)
    expect(read('.ci/run')).toMatch(/npm ci\b/)
  })

  it('calls only scripts that there are', () => {
    const called = [...readme.matchAll(/\bnpm run ([a-z-]+)/g)].map(([, name]) => name ?? '')
    expect(called.filter((name) => !(name in scripts))).toEqual([])
  })
})

describe('the documents', () => {
  it('explain every code of a refusal', () => {
    const text = read('docs/interface.md')
    expect(Object.keys(codes).filter((code) => !text.includes(`\`${code}\``))).toEqual([])
  })

  it('name every event that a task may wait for', () => {
    const text = read('docs/triggers.md')
    expect(platformEvents.filter((event) => !text.includes(`\`${event}\``))).toEqual([])
  })

  it('list every operation as the catalog has it', async () => {
    await expect(operationsPage(catalog)).toMatchFileSnapshot('../../docs/operations.md')
  })

  it('have what changed for callers in the changelog', () => {
    expect(read('CHANGELOG.md')).toMatch(/^## \[?Unreleased\]?/m)
  })
})
