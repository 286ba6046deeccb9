import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { oneStore } from '#tests/support/stores.ts'
import { Browser } from './browser.ts'
import { begun, discovered, registered, type Asked, type Program } from './program.ts'

const redirect = 'https://evil.example/back'
const operators = { client_id: 'desk', client_name: 'Desk', redirect_uris: [redirect] }

/** Source: RFC 9700, 4.11.2. */
describe('a request that is wrong, before a person has decided anything', () => {
  let server: PlayedServer
  let url = ''
  beforeAll(async () => {
    const [kind] = oneStore()
    if (!kind) throw new Error('there is a store')
    server = await openServer(kind, { ABODE_OAUTH_CLIENTS: JSON.stringify([operators]) })
    ;({ url } = server)
  })
  afterAll(() => server.close())

  const ofAnyone = async (): Promise<Program> => {
    const program = await registered(url, { redirect_uris: [redirect] })
    return { ...program, redirect }
  }
  const answered = async (program: Program, asked: Asked) =>
    new Browser(url).get((await begun(program, asked)).address)

  const wrong: [string, Asked, string][] = [
    ['without PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['for what is not here', { resource: 'https://other.example/' }, 'invalid_target'],
    ['that no person shall see', { prompt: 'none' }, 'login_required'],
    ['of another kind', { response_type: 'token' }, 'unsupported_response_type'],
  ]
  test.each(wrong)(
    '%s sends no one on by itself to a program of anyone',
    async (_, asked, error) => {
      const page = await answered(await ofAnyone(), asked)
      expect([page.status, page.goesTo]).toEqual([400, ''])
      const [, link = ''] = /<a href="([^"]+)" rel="noreferrer">/.exec(page.text) ?? []
      const back = new URL(link.replaceAll('&amp;', '&'))
      expect(back.origin + back.pathname).toBe(redirect)
      expect(back.searchParams.get('error')).toBe(error)
      expect(back.searchParams.get('iss')).toBe(url)
    },
  )

  test.each(['form_post', 'fragment'])('nor by the mode %s', async (response_mode) => {
    const asked = { response_mode, code_challenge: undefined }
    const page = await answered(await ofAnyone(), asked)
    expect([page.status, page.goesTo]).toEqual([400, ''])
    expect(page.text).not.toContain('evil.example')
  })

  test('is told to a program of the operator, and to one on the same machine, at once', async () => {
    const known = { server: await discovered(url), client: { client_id: 'desk' }, redirect }
    for (const program of [known, await registered(url)]) {
      const { goesTo } = await answered(program, { prompt: 'none' })
      expect(goesTo).toContain(`${program.redirect}?error=login_required`)
    }
  })
})
