import { codeInCommons } from '#src/core/commons/refusals.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compose } from '#adapters/compose/compose.ts'
import { readConfig } from '#adapters/config/read.ts'
import { catalog } from '#src/catalog.ts'
import { codesOfCommons } from '#src/core/commons/codes.ts'
import { codes, commonCodes, kinds } from '#src/core/errors.ts'
import { isOfCommons } from '#src/core/operation-facts.ts'
import { read } from '#tests/house/tree.ts'
import { memberOf } from '#tests/support/members.ts'
import { askerOf } from '#tests/support/world.ts'
import { sending, serving, type Serving } from './serve.ts'

let server: Serving
beforeAll(async () => {
  server = await serving({}, catalog)
})
afterAll(() => server[Symbol.asyncDispose]())

describe.each(['/commons/skill.md', '/commons/errors.md'])('%s', (path) => {
  it('is Markdown that may be kept, and asked for with its tag', async () => {
    const page = await server.ask(path)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(page.headers.get('cache-control')).toContain('public')
    expect(page.text).toMatch(/^# /)
    const tag = page.headers.get('etag') ?? ''
    const again = await server.ask(path, { headers: { 'if-none-match': tag } })
    expect([again.status, again.text]).toEqual([304, ''])
    const head = await server.ask(path, { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', tag])
    const encoded = await server.ask(path, { headers: { 'accept-encoding': 'gzip' } })
    expect(encoded.headers.get('content-encoding')).toBe('gzip')
    expect(encoded.text).toBe(page.text)
    expect((await server.ask(path, { method: 'POST' })).status).toBe(405)
  })
})

describe('the page of codes', () => {
  const told = new Map(codesOfCommons.map(({ code, status }) => [code, status]))

  it('has a section for every code that an operation of the Commons may answer', async () => {
    const { text } = await server.ask('/commons/errors.md')
    const sections = [...text.matchAll(/^## (\S+)$/gm)].map(([, code]) => code)
    expect(new Set(sections).size).toBe(sections.length)
    const answered = [...commonCodes, ...catalog.filter(isOfCommons).flatMap((op) => op.refuses)]
    for (const code of new Set(answered.map(codeInCommons))) expect(sections).toContain(code)
    expect(new Set(sections)).toEqual(new Set(told.keys()))
  })

  it('says what each means and what to do, with the status that it has', async () => {
    const { text } = await server.ask('/commons/errors.md')
    for (const part of text.split(/^## /m).slice(1)) {
      expect(part).toMatch(/^\w+\n\nHTTP status [45]\d\d\. .+\n\nWhat to do: .+\n+$/)
    }
    const known = Object.entries(codes).filter(([code]) => told.has(code))
    expect(known.length).toBeGreaterThan(30)
    for (const [code, kind] of known) {
      expect([code, told.get(code)]).toEqual([code, kinds[kind].status])
    }
  })

  it('has every code of the Commons and of HTTP', () => {
    const promised = {
      400: 'bad_json bad_request bad_address cursor_invalid challenge_unknown challenge_expired challenge_used pow_invalid idempotency_key_invalid',
      401: 'missing_token invalid_token token_revoked',
      403: 'forbidden account_suspended banned trust_too_low not_author recipient_blocked consent_required',
      404: 'not_found thread_not_found reply_not_found identity_not_found message_not_found',
      405: 'method_not_allowed',
      406: 'not_acceptable',
      408: 'request_timeout',
      409: 'handle_taken duplicate_content thread_closed thread_locked not_held idempotency_conflict write_conflict',
      412: 'revision_mismatch',
      413: 'payload_too_large',
      415: 'unsupported_media_type',
      422: 'invalid_input unknown_field board_unknown secret_detected self_vote self_message',
      429: 'rate_limited',
      431: 'headers_too_large',
      500: 'internal_error',
      503: 'unavailable',
    }
    for (const [status, names] of Object.entries(promised)) {
      for (const code of names.split(' ')) {
        expect([code, told.get(code)]).toEqual([code, Number(status)])
      }
    }
  })

  it('has a section for each code that the operations name themselves', () => {
    const named = [...told.keys()].filter((code) => code in codes)
    const text = read('docs/commons.md')
    for (const code of named) expect(text).toContain(`\`${code}\``)
  })
})

describe('a trust level that the operator has set', () => {
  it('is told by every document, and holds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'abode-trust-'))
    const config = readConfig({
      PORT: '0',
      DATA_DIR: folder,
      ABODE_LOG_LEVEL: 'silent',
      ABODE_POW_BITS: '2',
      ABODE_COMMONS_TRUST: 'commons.identities.rotate=3',
    })
    const abode = await compose(config)
    try {
      const { url } = await abode.listen()
      const textAt = async (path: string, init?: RequestInit) =>
        (await fetch(url + path, init)).text()
      expect(await textAt('/commons/skill.md')).toMatch(/^\| 3 \|.*`commons\.identities\.rotate`/m)
      expect(await textAt('/openapi.agent.json')).toContain('"x-abode-trust":3')
      const described = { jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' }
      const one = sending('POST', described, { 'a2a-version': '1.0' })
      expect(await textAt('/api/commons/a2a', one)).toContain('"trust":3')
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const accept = { accept: 'application/json, text/event-stream' }
      for (const path of ['/mcp', '/api/commons/mcp']) {
        const tools = await textAt(path, sending('POST', list, accept))
        expect(tools).toContain('Needs trust level 3.')
      }
      const { token } = await memberOf(askerOf(abode.core))
      const headers = { authorization: `Bearer ${token}` }
      const refused = await textAt('/api/commons/identities/rotate', { method: 'POST', headers })
      expect(refused).toContain('"code":"trust_too_low"')
    } finally {
      await abode.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
