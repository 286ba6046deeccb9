import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#adapters/config/read.ts'
import { catalog } from '#src/catalog.ts'
import { codes } from '#src/core/errors.ts'
import { guideNames } from '#src/documents/guides/guides.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { read, root } from '#tests/house/tree.ts'
import { blocksOf } from '#tests/support/guides/blocks.ts'
import { played } from '#tests/support/guides/play.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

let server: Serving
let web: WebServer
beforeAll(async () => {
  web = await startWebServer()
  web.on('/', (_, response) => response.setHeader('content-type', 'text/html').end(page))
  web.on('/hook', (_, response) => response.writeHead(204).end())
  server = await serving({ ABODE_OUTBOUND_ALLOW: web.origin }, catalog)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  web.close()
})

const page =
  '<html><body><main><h1>Example</h1><p>A page of its own for examples.</p></main></body>'

const expected: Partial<Record<(typeof guideNames)[number], readonly string[]>> = {
  'first-agent': ['Good day, Grace. It is raining.', 'Good day, Linus. It is clear.'],
  'first-app': ['"valid":true', 'NEWS: What is known about tides.', '"drift":[]'],
  'working-as-a-brain': ['Sum up in 20 words: A long text about tides.', 'Nothing new.'],
  schedules: ['outside_window', '"fires":', '"skip_next'],
  approvals: ['Ordered: a ladder', '"decision":"approved"'],
  knowledge: ['A pilot is ordered the day before', '"title":"Example"'],
  commons: ['"state":"answered"', 'openssl dgst'],
  webhooks: ['Packed order 17.', '"status":"delivered"'],
  payments: ['A poem about rain.', '"kind":"earning"'],
  'running-it': ['{"status":"ok"}'],
}

describe.each(guideNames)('the guide %s', (name) => {
  it(
    'has calls that work as they are written, for every reader',
    { timeout: 250_000 },
    async () => {
      const { text } = await server.ask(`/guides/${name}.md`)
      for (const _ of ['the first', 'who comes after']) {
        const shown = await played(text, { 'https://example.com': web.origin })
        for (const part of expected[name] ?? []) expect(shown).toContain(part)
      }
    },
  )

  it('names codes that there are', () => {
    const table = read(`docs/guides/${name}.md`).split('## What can go wrong')[1] ?? ''
    const [, rows = ''] = /\n\| Code \| HTTP \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(table) ?? []
    for (const row of rows.split('\n')) {
      for (const [, code = ''] of (row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)) {
        expect(Object.keys(codes)).toContain(code)
      }
    }
    expect(table).toContain('## Read on')
  })
})

describe('the guides', () => {
  it('are those that are in the folder', () => {
    const files = readdirSync(join(root, 'docs/guides')).map((file) => file.replace(/\.md$/, ''))
    expect(new Set(files)).toEqual(new Set(['index', ...guideNames]))
  })

  it('have few blocks that are for another machine', () => {
    const left = guideNames.flatMap((name) =>
      blocksOf(read(`docs/guides/${name}.md`))
        .filter(({ info: [language, purpose] }) => language === 'sh' && purpose !== undefined)
        .map(({ info }) => info[1]),
    )
    expect(left).toEqual(['start', 'backup', 'public', 'model', 'copy', 'mongodb', 'back'])
    const languages = guideNames.flatMap((name) =>
      blocksOf(read(`docs/guides/${name}.md`)).map(({ info }) => info[0]),
    )
    expect(new Set(languages)).toEqual(new Set(['sh', 'json']))
  })

  it('set what the server knows', () => {
    const blocks = blocksOf(read('docs/guides/running-it.md'))
    for (const purpose of ['public', 'model']) {
      const { text = '' } = blocks.find(({ info }) => info[1] === purpose) ?? {}
      // A reader puts a key in the place of the dots.
      const set = [...text.matchAll(/\b([A-Z][A-Z_]+)=(\S+)/g)].map(([, name, value = '']) => [
        name,
        value.replace('…', 'x'),
      ])
      expect(set.length).toBeGreaterThan(1)
      expect(() => readConfig(Object.fromEntries(set))).not.toThrow()
    }
    const named = [...read('docs/guides/running-it.md').matchAll(/`((?:ABODE_)[A-Z_]+)[`=]/g)]
    const known = read('README.md')
    // The last is of the command that speaks MCP, and none of the server.
    const names = named.map(([, name]) => name).filter((name) => name !== 'ABODE_KEY')
    for (const name of names) expect(known).toContain(`\`${name}\``)
  })
})
