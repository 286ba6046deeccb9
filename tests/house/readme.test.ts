import { describe, expect, it } from 'vitest'
import { exits } from '#adapters/commands/exits.ts'
import { settings } from '#adapters/config/read.ts'
import { programs } from '#adapters/process/programs.js'
import { catalog } from '#src/catalog.ts'
import { codes } from '#src/core/errors.ts'
import { operationsPage } from '#src/documents/operations.ts'
import { platformEvents } from '#src/core/vocabulary.ts'
import { files, read } from './tree.ts'

const readme = read('README.md')
const operating = read('docs/operating.md')
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
  it('list every command and every exit code, in one place', () => {
    const commands = [...operating.matchAll(/^\| `abode ([a-z-]+)` \|/gm)].map(([, name]) => name)
    expect(commands).toEqual([...programs.keys()])
    const told = [...operating.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
    expect(told.slice(0, Object.keys(exits).length)).toEqual(Object.values(exits))
  })

  it('never name the package by the bare name, which is of another one', () => {
    const texts = [...files('docs', 'examples', 'src/documents'), 'README.md', 'CHANGELOG.md']
    const bare = /\b(?:npx|npm (?:i|install|exec)|bunx|pnpm dlx)(?: -(?!-package)\S+)* abode\b/
    expect(texts.filter((path) => bare.test(read(path)))).toEqual([])
  })

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
