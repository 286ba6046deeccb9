import * as z from 'zod'
import { nearest } from '#src/core/input/nearest.ts'
import type { X402Terms } from '#src/core/settings.ts'
import { pointerTo } from '#src/core/text/text.ts'
import type { Price } from '#src/ports/payments.ts'
import { webAddress } from './network.ts'
import { headerText, json, wrong, Wrong, type Mistake, type Read } from './values.ts'

// Card networks take at most eight digits in one charge.
const centsAtMost = 99_999_999
const pricesAtMost = 200
const textAtMost = 1000
/** A hundredth of a token with 18 decimals: exact, although not a safe integer. */
const unitsOfCentAtMost = 1e16

const words = (most: number) => {
  const rule = `must be a text of 1 to ${most} characters`
  return z.string(rule).min(1, rule).max(most, rule)
}

const address = (meaning: string) =>
  z
    .string(`must be ${meaning}`)
    .regex(/^0x[0-9a-fA-F]{40}$/, `must be ${meaning}: 0x and 40 hexadecimal digits`)

const networkRule = 'must be a network, such as base or eip155:8453'

const cents = `must be a whole number from 1 to ${centsAtMost}`

const OnePrice = z.strictObject(
  {
    id: z
      .string('must be an id')
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, ".", "_", "-"'),
    name: words(200),
    description: words(textAtMost).nullable().default(null),
    amount_cents: z.int(cents).min(1, cents).max(centsAtMost, cents),
    currency: z
      .string('must be a currency')
      .regex(/^[a-z]{3}$/, 'must be three lower-case letters of ISO 4217, such as eur'),
    kind: z.enum(['one_time', 'recurring'], 'must be one_time or recurring'),
    interval: z
      .enum(['day', 'week', 'month', 'year'], 'must be day, week, month or year')
      .nullable()
      .default(null),
    char_id: z
      .string('must be the id of an agent')
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'must be the id of an agent')
      .nullable()
      .default(null),
  },
  'must be a price',
)

const PriceList = z
  .array(OnePrice, 'must be a list of prices')
  .min(1, 'must name a price; leave it out for the default')
  .max(pricesAtMost, `must name at most ${pricesAtMost} prices`)
  .superRefine((list, context) => {
    const ids = new Set<string>()
    for (const [index, price] of list.entries()) {
      const fault = (member: keyof Price, message: string) =>
        context.addIssue({ code: 'custom', path: [index, member], message })
      if (ids.has(price.id)) fault('id', 'must be another than that of any price before it')
      if (price.currency !== list[0]?.currency) {
        fault('currency', 'must be that of the first price: there is one for all')
      }
      if ((price.kind === 'recurring') !== (price.interval !== null)) {
        fault('interval', 'must be named where the kind is recurring, and nowhere else')
      }
      if (price.char_id !== null && price.kind !== 'recurring') {
        fault(
          'char_id',
          'must be null where the kind is one_time: a subscription alone gives access',
        )
      }
      ids.add(price.id)
    }
  })

const timeout = 'must be a whole number of seconds from 10 to 3600'
const units = `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}, or ${unitsOfCentAtMost}`

const Terms = z.strictObject(
  {
    pay_to: address('the address that is paid'),
    network: z
      .string('must be a network')
      .regex(/^(?:[a-z][a-z0-9-]{1,31}|eip155:[1-9][0-9]{0,18})$/, networkRule),
    asset: address("the address of the token's contract"),
    units_per_cent: z
      .number(units)
      .refine((n) => n >= 1 && (Number.isSafeInteger(n) || n === unitsOfCentAtMost), units),
    facilitator: z.string('must be an https address').transform((text, context) => {
      const address = secureAddress(text)
      if (address !== undefined) return address
      context.addIssue({ code: 'custom', message: facilitatorRule })
      return z.NEVER
    }),
    extra: z.record(z.string(), z.json(), 'must be an object').default({}),
    max_timeout_seconds: z.int(timeout).min(10, timeout).max(3600, timeout).default(60),
  },
  'must be an object',
)

const facilitatorRule =
  'must be an https address without credentials, query or fragment; http only on this machine'

/** Signed payments and keys are worth money: they leave the machine encrypted or not at all. */
export function secureAddress(text: string): string | undefined {
  try {
    const address = new URL(webAddress(text))
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(address.hostname)
    return address.protocol === 'https:' || isLocal ? webAddress(text) : undefined
  } catch {
    return undefined
  }
}

/** The prices of the built-in provider. */
export const prices: Read<readonly Price[]> = shaped(PriceList, Object.keys(OnePrice.shape))

/** The terms of payments by the x402 protocol. */
export const x402Terms: Read<X402Terms> = shaped(Terms, Object.keys(Terms.shape))

/**
 * JSON of a given shape; every mistake is reported with its place and what is expected there.
 * @param members that there are, for those that are misspelled
 */
export function shaped<T>(schema: z.ZodType<T>, members: readonly string[]): Read<T> {
  return (text) => {
    const value = json(text)
    const result = schema.safeParse(value)
    if (result.success) return result.data
    throw new Wrong(result.error.issues.flatMap((issue) => mistakesOf(issue, value, members)))
  }
}

function mistakesOf(
  issue: z.core.$ZodIssue,
  value: unknown,
  members: readonly string[],
): Mistake[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const meant = nearest(key, members)
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`
      return { rule: `${pointerTo([...issue.path, key])} is not a member of it${hint}` }
    })
  }
  const found = valueAt(value, issue.path)
  const at = issue.path.length === 0 ? '' : `${pointerTo(issue.path)} `
  if (found === undefined) return [{ rule: `${at}is missing: it ${issue.message}` }]
  const part = typeof found === 'string' ? found : JSON.stringify(found)
  return [{ rule: `${at}${issue.message}`, part }]
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, step) =>
      typeof inside === 'object' && inside !== null ? Reflect.get(inside, step) : undefined,
    value,
  )
}

/** A key with the right prefix: the secrets of a provider are easily mixed up. */
function keyThatBegins(beginnings: readonly string[]): Read<string> {
  return (text) => {
    const key = headerText(text)
    if (beginnings.some((beginning) => key.startsWith(beginning))) return key
    return wrong(`must begin with ${beginnings.join(' or ')}`, text)
  }
}

/** The address that the secret key is sent to. */
export const stripeAddress: Read<string> = (text) => {
  const address = secureAddress(text)
  if (address !== undefined && new URL(address).pathname === '/') return address
  return wrong('must be scheme, host and port: https, and http only on this machine', text)
}

export const stripeKey = keyThatBegins(['sk_', 'rk_'])
export const stripeWebhookSecret = keyThatBegins(['whsec_'])
