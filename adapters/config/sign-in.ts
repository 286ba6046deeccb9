import * as z from 'zod'
import { byPassword, type SignIn } from '#src/core/settings.ts'
import { secureAddress, shaped } from './payments.ts'
import { json, type Read } from './values.ts'

const issuerRule =
  'must be an https address without credentials, query or fragment; http only on this machine'
const domainRule = 'must be a domain in lower case, such as example.org'
const scopeRule = 'must be a scope of OAuth'
const providersAtMost = 10

const text = (most: number) => {
  const rule = `must be a text of 1 to ${most} characters`
  return z.string(rule).trim().min(1, rule).max(most, rule)
}

const domain = z
  .string(domainRule)
  .max(253, domainRule)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/, domainRule)

const Provider = z.strictObject(
  {
    issuer: z
      .string(issuerRule)
      .max(300, issuerRule)
      .refine((issuer) => secureAddress(issuer) !== undefined, issuerRule),
    name: text(60),
    client_id: text(300),
    client_secret: text(1000).nullable().default(null),
    domains: z
      .array(domain, 'must be a list of domains')
      .min(1, 'must name a domain; leave it out for none')
      .max(100, 'must name at most 100 domains')
      .default([]),
    scopes: z
      .array(z.string(scopeRule).regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, scopeRule), scopeRule)
      .max(20, 'must name at most 20 scopes')
      .default([]),
  },
  'must be a provider',
)

const Providers = z
  .array(Provider, 'must be a list of providers')
  .min(1, 'must name a provider')
  .max(providersAtMost, `must name at most ${providersAtMost} providers`)
  .superRefine((list, context) => {
    const issuers = new Set<string>()
    const claimed = new Set<string>()
    for (const [index, { issuer, domains }] of list.entries()) {
      const fault = (member: string, message: string) =>
        context.addIssue({ code: 'custom', path: [index, member], message })
      const one = secureAddress(issuer) ?? issuer
      if (issuers.has(one)) fault('issuer', 'must be another than that of any provider before it')
      issuers.add(one)
      if (domains.some((name) => claimed.has(name))) {
        fault('domains', 'must be of one provider alone')
      }
      for (const name of domains) claimed.add(name)
    }
  })

const Whole = z.strictObject(
  {
    passwords: z.boolean('must be true or false: whether there are passwords').default(true),
    providers: Providers,
  },
  'must be a list of providers, or an object with them',
)

const members = [...Object.keys(Provider.shape), ...Object.keys(Whole.shape)]
const asList = shaped(Providers, members)
const asObject = shaped(Whole, members)

/** How persons sign in: a list of providers, or an object with them that also says whether there are passwords. */
export const signIn: Read<SignIn> = (value) =>
  Array.isArray(json(value)) ? { ...byPassword, providers: asList(value) } : asObject(value)
