import { namesCommons } from '#src/core/commons/absence.ts'
import { oauthScopes } from '#src/core/authorization/scopes.ts'
import { commonCodesOfCommons } from '#src/core/commons/codes.ts'
import { describe, expect, it } from 'vitest'
import { catalog, operations } from '#src/catalog.ts'
import { chat } from '#src/catalog/chat.ts'
import { itemStandings } from '#src/catalog/content.ts'
import { runStandings } from '#src/catalog/runs.ts'
import { signIn } from '#src/operations/auth/sign-in.ts'
import { collections } from '#src/collections.ts'
import { codes, commonCodes } from '#src/core/errors.ts'
import { isOfCommons, isRead, scopeOf, toolName } from '#src/core/operation-facts.ts'
import { cases } from '#tests/operations/cases.ts'
import { read, sources } from './tree.ts'

const files = sources('src/operations')
const fileOf = (name: string): string =>
  `src/operations/${name.replaceAll('.', '/').replaceAll('_', '-')}.ts`

describe('the catalog', () => {
  it('holds every operation file, and each under its own name', () => {
    expect(operations.map((op) => fileOf(op.name)).sort()).toEqual([...files].sort())
    for (const op of operations) expect(read(fileOf(op.name))).toContain(`name: '${op.name}'`)
  })

  it('offers all but what doors, and pages, alone call', () => {
    const left = operations.filter((op) => !catalog.includes(op))
    expect(left).toEqual([signIn, itemStandings, runStandings, ...chat])
    expect(chat.filter((op) => !op.internal)).toEqual([])
  })

  it('names every operation once, in the order of the page of all operations', () => {
    const names = catalog.map(({ name }) => name)
    const rows = read('docs/operations.md').matchAll(/^\| `([a-z_.]+)`/gm)
    expect(names, 'npm run docs').toEqual([...rows].map(([, name]) => name))
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  })

  it('keeps the operations of a group side by side', () => {
    const groups = operations.map(({ name }) => name.split('.', 1)[0])
    const starts = groups.filter((group, index) => group !== groups[index - 1])
    expect(starts).toEqual([...new Set(groups)])
  })

  it('lets connected programs do nothing with the scope to read that changes, pays or gives a key', () => {
    const inRead = operations.filter((op) => op.auth !== 'person' && scopeOf(op) === 'read')
    const more = inRead.filter((op) => !isRead(op) || op.destructive || op.pays || op.secret)
    expect(more.map(({ name }) => name)).toEqual([])
  })

  it('asks for a scope of its own for what manages an account, decides or pays', () => {
    const named = (pattern: RegExp, scope: string): string[] =>
      operations
        .filter((op) => op.auth !== 'person' && !isRead(op) && scopeOf(op) !== scope)
        .flatMap(({ name }) => (pattern.test(name) ? [name] : []))
    expect(named(/^(?:account|api_keys)\.|\.(?:secrets|visibility)\./, 'admin')).toEqual([])
    expect(named(/^approvals\./, 'approve')).toEqual([])
    expect(operations.filter((op) => op.pays && scopeOf(op) !== 'spend')).toEqual([])
    expect(named(/^payments\.create_/, 'spend')).toEqual([])
  })

  it('has something in each scope, and states none that an operation has anyway', () => {
    expect(new Set(operations.map(scopeOf))).toEqual(new Set(oauthScopes))
    const stated = operations.filter((op) => op.oauthScope !== undefined)
    const needless = stated.filter(
      (op) => op.oauthScope === scopeOf({ ...op, oauthScope: undefined }),
    )
    expect(needless.map(({ name }) => name)).toEqual([])
  })

  it('names tools as hosts accept them', () => {
    for (const op of operations) expect(toolName(op)).toMatch(/^[a-z][a-z0-9_]{0,47}$/)
    expect(new Set(operations.map(toolName)).size).toBe(operations.length)
  })

  it.each(operations.map((op) => [op.name, op] as const))('%s hangs together', (_, op) => {
    const known = Object.keys(op.input.shape)
    const named = [op.http.path, ...(op.http.also ?? [])].flatMap((path) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
    expect(known).toEqual(expect.arrayContaining(named))
    if (op.document) expect(known).toContain(op.document)
    expect(known).not.toContain('api_key')
    expect(op.toolsets.length).toBeGreaterThan(0)
    expect(isOfCommons(op)).toBe(namesCommons(op.name))
    expect(op.input.safeParse(op.example).error?.issues).toBeUndefined()
    const common: readonly string[] = commonCodes
    expect(op.refuses.filter((code) => common.includes(code))).toEqual([])
    expect(op.summary).toMatch(/^[A-Z].{10,118}[.]$/)
  })

  it.each(['characters.secrets.update', 'characters.revisions.restore'])(
    '%s declares that it deletes something for good',
    (name) => {
      expect(catalog.find((op) => op.name === name)?.destructive).toBe(true)
    },
  )

  it('hands hosts at most 40 tools in the core toolset', () => {
    expect(catalog.filter((op) => op.toolsets.includes('core')).length).toBeLessThanOrEqual(40)
  })
})

describe('the table of cases', () => {
  // These need another caller who keeps changing the same document, which tests/work shows, and a server whose
  // persons sign in by providers alone, which tests/accounts/sign-in shows.
  const shownElsewhere = new Set(['write_conflict', 'passwords_off'])

  it.each(catalog.map((op) => [op.name, op] as const))(
    '%s has a success and every refusal',
    (_, op) => {
      const own = cases.filter((kase) => kase.op === op.name)
      expect(
        own.some((kase) => kase.answer),
        'a case that succeeds',
      ).toBe(true)
      const missing = op.refuses.filter(
        (code) => !shownElsewhere.has(code) && !own.some((kase) => kase.refusal === code),
      )
      expect(missing).toEqual([])
    },
  )

  it('refuses with codes that the operation declares', () => {
    const common: readonly string[] = commonCodes
    const undeclared = cases.filter(({ op, refusal }) => {
      const declared: readonly string[] = catalog.find(({ name }) => name === op)?.refuses ?? []
      const known = namesCommons(op) ? [...common, ...commonCodesOfCommons] : common
      return refusal && !known.includes(refusal) && !declared.includes(refusal)
    })
    expect(undeclared.map(({ op, title }) => `${op}: ${title}`)).toEqual([])
  })
})

describe('the tables of the core', () => {
  it('has no unused code', () => {
    const text = [...sources('src'), ...sources('protocol'), ...sources('adapters')]
      .filter((path) => path !== 'src/core/errors.ts')
      .map(read)
      .join('\n')
    expect(Object.keys(codes).filter((code) => !text.includes(`'${code}'`))).toEqual([])
  })

  it('indexes at most four paths, each once', () => {
    for (const { indexes } of Object.values(collections)) {
      const keys = indexes.map(({ on }) => JSON.stringify(on))
      expect(new Set(keys).size).toBe(keys.length)
      for (const { on } of indexes) expect(Object.keys(on).length).toBeLessThanOrEqual(4)
    }
  })
})

describe('docstrings', () => {
  const exported = /^export (?:async )?(?:function|class|const|interface|type) (\w+)/gm

  it('stand before every export of core and ports, but for schemas named by their type', () => {
    const bare: string[] = []
    for (const path of sources('src/core', 'src/ports')) {
      const text = read(path)
      for (const match of text.matchAll(exported)) {
        const before = text.slice(0, match.index).trimEnd()
        const documented = before.endsWith('*/')
        const pair = new RegExp(
          `\\*/\\nexport (type|const|async function|function) ${match[1]}\\b`,
        ).test(text)
        if (!documented && !pair) bare.push(`${path}: ${match[1]}`)
      }
    }
    expect(bare).toEqual([])
  })
})
