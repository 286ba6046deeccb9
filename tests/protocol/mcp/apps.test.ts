import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { isOfCommons, offered, toolName } from '#src/core/operation-facts.ts'
import { viewNames } from '#src/core/html/view-names.ts'
import { viewDocuments } from '#adapters/compose/views.ts'
import { ToolTable } from '#protocol/mcp/tools.ts'
import { messageOf } from '../mcp-requests.ts'
import { by, eras, served, type Served } from './served.ts'

const publicUrl = 'http://127.0.0.1:8080'
const documents = viewDocuments(offered(catalog), publicUrl)
const mimeType = 'text/html;profile=mcp-app'
const extension = { 'io.modelcontextprotocol/ui': { mimeTypes: [mimeType] } }
const closed = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
const uris = documents.map(({ uri }) => uri)

let place: Served
beforeAll(async () => {
  place = await served({ documents })
})
afterAll(() => place.close())

interface Resource {
  uri: string
  mimeType: string
  text?: string
  _meta?: unknown
}

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

describe.each(eras)('a newcomer of the %s era', (era, send) => {
  const ask = async (method: string, params: Record<string, unknown> = {}) => {
    const { result } = await messageOf(await place.handle(send(method, params, by(undefined))))
    return result
  }

  test('is told that there are views', async () => {
    const handshake = era === '2025' ? ask('initialize', hello) : ask('server/discover')
    expect(await handshake).toMatchObject({ capabilities: { extensions: extension } })
  })

  test('is shown each in the list, with its policy', async () => {
    const { resources } = (await ask('resources/list')) as { resources: Resource[] }
    const views = resources.filter(({ uri }) => uri.startsWith('ui://'))
    expect(views.map(({ uri }) => uri)).toEqual(viewNames.map((name) => `ui://abode/${name}`))
    for (const view of views) {
      expect(view).toMatchObject({ mimeType, _meta: { ui: { csp: closed } } })
    }
  })

  test.each(uris)('reads %s as a document that asks for nothing', async (uri) => {
    const { contents } = (await ask('resources/read', { uri })) as { contents: Resource[] }
    expect(contents).toMatchObject([{ uri, mimeType, _meta: { ui: { csp: closed } } }])
    const text = contents[0]?.text ?? ''
    expect(text).toMatch(/^<!doctype html>/)
    expect(text.length).toBeLessThan(300_000)
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? ''
    expect(policy).toMatch(/^default-src &#39;none&#39;/)
    for (const tag of ['style', 'script']) {
      const inside = new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`).exec(text)?.[1] ?? ''
      expect(policy).toContain(createHash('sha256').update(inside).digest('base64'))
    }
    expect(text).not.toMatch(/\s(?:src|style|on\w+)="/)
  })

  test('is told by tools which view shows their answers, as text is complete', async () => {
    const { tools } = (await ask('tools/list')) as { tools: { name: string; _meta?: unknown }[] }
    const shown = tools.filter(({ _meta }) => _meta !== undefined)
    expect(shown.map(({ name, _meta }) => [name, _meta])).toEqual(
      offered(catalog).flatMap((op) =>
        op.view ? [[toolName(op), { ui: { resourceUri: `ui://abode/${op.view}` } }]] : [],
      ),
    )
  })
})

test('each view has a tool, and each tool of the core that has one says so', () => {
  expect(new Set(catalog.flatMap(({ view }) => view ?? []))).toEqual(new Set(viewNames))
  const core = new ToolTable(offered(catalog)).list({ toolsets: ['core'], readonly: false })
  const withView = catalog.filter(({ view, toolsets }) => view && toolsets.includes('core'))
  expect(core.flatMap(({ name, _meta }) => (_meta ? [name] : []))).toEqual(withView.map(toolName))
})

test('the door of the Commons has the views of the Commons alone', () => {
  const found = viewDocuments(catalog.filter(isOfCommons), publicUrl).map(({ uri }) => uri)
  expect(found).toEqual(['ui://abode/search'])
})
