import { describe, expect, it } from 'vitest'
import { ConfigFaults, readConfig } from '#adapters/config/read.ts'

const corp = { issuer: 'https://login.example/', name: 'Corp', client_id: 'abode' }
const read = (value: unknown) => readConfig({ ABODE_SIGN_IN: JSON.stringify(value) }).signIn

function faultsOf(text: string): readonly string[] {
  try {
    readConfig({ ABODE_SIGN_IN: text })
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults
    throw error
  }
  return []
}

describe('ABODE_SIGN_IN', () => {
  it('is a list of providers, next to passwords', () => {
    const whole = { client_secret: 's', domains: ['corp.example'], scopes: ['profile'] }
    expect(read([corp, { ...corp, ...whole, issuer: 'http://127.0.0.1:9000' }])).toEqual({
      passwords: true,
      providers: [
        { ...corp, client_secret: null, domains: [], scopes: [] },
        { ...corp, ...whole, issuer: 'http://127.0.0.1:9000' },
      ],
    })
  })

  it('is an object, where there are no passwords', () => {
    expect(read({ passwords: false, providers: [corp] })).toMatchObject({ passwords: false })
    expect(read({ providers: [corp] })).toMatchObject({ passwords: true })
  })

  it.each<[unknown, RegExp]>([
    [[], /must name a provider$/],
    [{ passwords: false }, /\/providers is missing: it must be a list of providers$/],
    [{ passwords: 'no', providers: [corp] }, /\/passwords must be true or false: whether/],
    [{ password: false, providers: [corp] }, /\/password is not a member of it; did you mean pass/],
    [['hush'], /\/0 must be a provider$/],
    [[{ ...corp, issuer: 'http://login.example' }], /\/0\/issuer must be an https address/],
    [[{ ...corp, issuer: 'https://a:hush@login.example' }], /\/0\/issuer must be an https address/],
    [[{ ...corp, issuer: 'https://login.example?a' }], /\/0\/issuer must be an https address/],
    [[corp, { ...corp, issuer: 'https://login.example' }], /\/1\/issuer must be another than/],
    [[{ ...corp, name: ' ' }], /\/0\/name must be a text of 1 to 60 characters$/],
    [[{ ...corp, client_id: undefined }], /\/0\/client_id is missing/],
    [[{ ...corp, client_secret: 5 }], /\/0\/client_secret must be a text/],
    [
      [{ ...corp, clientsecret: 'hush' }],
      /clientsecret is not a member of it; did you mean client_s/,
    ],
    [[{ ...corp, domains: [] }], /\/0\/domains must name a domain; leave it out for none$/],
    [[{ ...corp, domains: ['Corp.example'] }], /\/0\/domains\/0 must be a domain in lower case/],
    [[{ ...corp, domains: ['@corp.example'] }], /\/0\/domains\/0 must be a domain/],
    [[{ ...corp, domains: ['*.example'] }], /\/0\/domains\/0 must be a domain/],
    [[{ ...corp, domains: ['example'] }], /\/0\/domains\/0 must be a domain/],
    [[{ ...corp, scopes: ['a b'] }], /\/0\/scopes\/0 must be a scope/],
    [
      [
        { ...corp, domains: ['a.example'] },
        { ...corp, issuer: 'https://b.example', domains: ['a.example'] },
      ],
      /\/1\/domains must be of one provider alone$/,
    ],
    [
      Array.from({ length: 11 }, (_, i) => ({ ...corp, issuer: `https://l${i}.example` })),
      /at most/,
    ],
    ['hush', /must be a JSON object or array$/],
  ])('says in one line, without a value, what is wrong with %j', (value, line) => {
    const faults = faultsOf(JSON.stringify(value))
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(line)
    expect(faults.join()).not.toMatch(/hush|login\.example|\n/)
  })
})
