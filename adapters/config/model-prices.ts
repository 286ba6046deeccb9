import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { PriceTable } from '#src/core/spend/prices.ts'
import { shaped } from './payments.ts'
import { wrong, type Read } from './values.ts'

const dollarsAtMost = 100_000
const rule = `must be US dollars for a million tokens, from 0 to ${dollarsAtMost}, with at most six decimals`

const Dollars = z
  .number(rule)
  .min(0, rule)
  .max(dollarsAtMost, rule)
  .refine((dollars) => Math.round(dollars * 1e6) / 1e6 === dollars, rule)

const dayMs = 86_400_000
const past = 'must be a day that has come, such as 2026-10-24'
/** Clocks of machines differ, but by less than a day. */
const Day = z.iso.date(past).refine((day) => Date.parse(day) < Date.now() + dayMs, past)

const OnePrice = z
  .strictObject(
    {
      input: Dollars,
      output: Dollars,
      cached_input: Dollars.optional(),
      as_of: Day.optional(),
    },
    'must be a price with input and output, or null where the cost is unknown',
  )
  .refine(({ input, cached_input = 0 }) => cached_input <= input, {
    path: ['cached_input'],
    message: 'must not be above input, which is what it saves from',
  })

const modelsAtMost = 2000
const names = /^(?:openai|openai-compatible|anthropic)\/[!-~]+$/
const Table = z
  .record(z.string(), OnePrice.nullable(), 'must be an object of prices by provider/model')
  .superRefine((table, context) => {
    const named = Object.keys(table)
    if (named.length > modelsAtMost) {
      context.addIssue({ code: 'custom', message: `must name at most ${modelsAtMost} models` })
    }
    for (const name of named.filter((one) => !names.test(one))) {
      const message = 'must be the price of provider/model, such as openai/gpt-5'
      context.addIssue({ code: 'custom', path: [name], message })
    }
  })
const tableIn = shaped(Table, Object.keys(OnePrice.shape))

/** A table of prices, written out or in a file. */
export const modelPrices: Read<PriceTable> = (given) => {
  const text = given.startsWith('/') ? textOf(given) : given
  const table = tableIn(text)
  const twice = namedTwice(text)
  return twice === undefined ? table : wrong('must have each name only once', twice)
}

/** A name that an object has twice, of which JSON would silently keep the last. @param text valid JSON */
function namedTwice(text: string): string | undefined {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') open.push(new Set())
    else if (text[at] === '}') open.pop()
    else if (text[at] === '"') {
      const end = endOfString(text, at)
      const names = isName(text, end) ? open.at(-1) : undefined
      const name = String(JSON.parse(text.slice(at, end)))
      if (names?.has(name)) return name
      names?.add(name)
      at = end - 1
    }
  }
  return undefined
}

/** Whether the string that ended there is the name of a member. */
function isName(text: string, end: number): boolean {
  let at = end
  while (/\s/.test(text[at] ?? '')) at += 1
  return text[at] === ':'
}

/** Behind the string of JSON that begins there. */
function endOfString(text: string, begin: number): number {
  let at = begin + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return wrong('must be a JSON object, or the path of a file with one that can be read', path)
  }
}
