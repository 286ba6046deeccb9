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

const OnePrice = z.strictObject(
  { input: Dollars, output: Dollars, cached_input: Dollars.optional() },
  'must be a price with input and output, or null where the cost is unknown',
)

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
export const modelPrices: Read<PriceTable> = (text) =>
  tableIn(text.startsWith('/') ? textOf(text) : text)

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return wrong('must be a JSON object, or the path of a file with one that can be read', path)
  }
}
