import { expect, test } from 'vitest'
import { readConfig } from '#adapters/config/read.ts'
import { knownPrices } from '#adapters/model/known-prices.ts'
import { pricesOf } from '#adapters/model/prices.ts'
import { nanosOf } from '#src/core/spend/prices.ts'
import { withCall } from '#src/core/spend/usage.ts'
import { costOfCall } from '#src/runs/spend/cost.ts'
import { costWords, dollars } from '#src/views/cost-words.ts'

const openai = { baseUrl: 'https://api.openai.com/v1' }

test('cost is counted in whole billionths of a dollar, rounded once', () => {
  const price = { input: 2_500_000, output: 10_000_000, cachedInput: 1_250_000 }
  expect(nanosOf(price, { input_tokens: 1000, output_tokens: 100 })).toBe(3_500_000)
  const cached = { input_tokens: 1000, output_tokens: 0, cached_input_tokens: 400 }
  expect(nanosOf(price, cached)).toBe(2_000_000)
  // A provider that claims more than it was sent makes nothing cheaper than all of it.
  expect(nanosOf(price, { ...cached, cached_input_tokens: 9999 })).toBe(1_250_000)
  expect(nanosOf({ input: 1, output: 1 }, { input_tokens: 499, output_tokens: 0 })).toBe(0)
  expect(nanosOf({ input: 1, output: 1 }, { input_tokens: 500, output_tokens: 0 })).toBe(1)
})

test('what no price or no report tells is unknown, and never taken for nothing', () => {
  const call = { input_tokens: 7, output_tokens: 3 }
  expect(nanosOf(undefined, call)).toBeUndefined()
  const price = { input: 1_000_000, output: 1_000_000 }
  expect(nanosOf(price, { ...call, unreported: true })).toBeUndefined()
  const none = { input_tokens: 0, output_tokens: 0 }
  const unknown = withCall(none, call, undefined)
  expect(unknown).toEqual({ input_tokens: 7, output_tokens: 3, unpriced_calls: 1 })
  const both = withCall(withCall(unknown, call, 100_000), call, 200_000)
  expect(both).toEqual({ input_tokens: 21, output_tokens: 9, unpriced_calls: 1, cost_cents: 0.03 })
  expect(costWords({})).toBeUndefined()
  expect(costWords(unknown)).toBe('unknown: the model has no price here')
  expect(costWords(both)).toBe('$0.0003, and 1 call of unknown cost')
  expect([0, 0.005, 12.5, 1234.5].map(dollars)).toEqual([
    '$0.00',
    'less than $0.0001',
    '$0.125',
    '$12.35',
  ])
})

test('each shipped price could be set by an operator, and says of which day it is', () => {
  const table = readConfig({ ABODE_MODEL_PRICES: JSON.stringify(knownPrices) }).modelPrices
  expect(table).toEqual(knownPrices)
  for (const [name, { input, output, cached_input = 0, as_of }] of Object.entries(knownPrices)) {
    expect(as_of, name).toMatch(/^2026-\d\d-\d\d$/)
    expect([cached_input > 0, cached_input < input, input < output], name).toEqual([
      true,
      true,
      true,
    ])
  }
  // Its price depends on the length of each prompt, which one figure cannot say.
  expect(pricesOf({}, openai).get('anthropic/claude-haiku-5-5')).toBeUndefined()
})

test('the prices of the operator come before those that are shipped, and may take one away', () => {
  const text = '{"openai/gpt-5": null, "openai-compatible/own": {"input": 0.000001, "output": 1}}'
  const { modelPrices = {} } = readConfig({ ABODE_MODEL_PRICES: text })
  const prices = pricesOf(modelPrices, openai)
  expect(prices.get('openai/gpt-5')).toBeUndefined()
  expect(prices.get('openai-compatible/own')).toMatchObject({ input: 1, output: 1_000_000 })
  expect(prices.get('anthropic/claude-haiku-4-5')?.input).toBe(1_000_000)
  // What answers in place of OpenAI is not OpenAI.
  const elsewhere = pricesOf({}, { baseUrl: 'https://models.example/v1' })
  expect([...elsewhere.keys()].every((name) => name.startsWith('anthropic/'))).toBe(true)
  const settings = { modelPrices: pricesOf({}, openai) }
  const call = { input_tokens: 1000, output_tokens: 0 }
  const name = { provider: 'openai', model: 'gpt-5' }
  expect(costOfCall(settings, { name, own: { OPENAI_API_KEY: 'k' } }, call)).toBe(1_250_000)
  const own = { OPENAI_BASE_URL: 'https://else.example/v1', OPENAI_API_KEY: 'k' }
  expect(costOfCall(settings, { name, own }, call)).toBeUndefined()
})

test.each([
  ['{"openai/m": {"input": 1}}', '/openai~1m/output is missing'],
  ['{"openai/m": {"input": -1, "output": 1}}', '/openai~1m/input must be US dollars'],
  ['{"openai/m": {"input": 0.0000001, "output": 1}}', 'at most six decimals'],
  ['{"openai/m": {"input": 1, "output": 1, "cached_inputs": 1}}', 'did you mean cached_input?'],
  ['{"openai/m": {"input": 1, "output": 1, "cached_input": 2}}', 'must not be above input'],
  ['{"openai/m": {"input": 1e9, "output": 1}}', '/openai~1m/input must be US dollars'],
  ['{"openai/m": {"input": 1, "output": "1"}}', '/openai~1m/output must be US dollars'],
  ['{"openai/m": {"input": 1, "output": 1, "as_of": "2999-01-01"}}', 'must be a day that has come'],
  ['{"openai/m": {"input": 1, "output": 1, "as_of": "May"}}', 'must be a day that has come'],
  ['{"openai/m": {"input": 1, "output": 1}, "openai\\u002fm": null}', 'each name only once'],
  ['{"openai/m": {"input": 1, "output": 1, "input" : 2}}', 'each name only once'],
  ['{"gpt-5": {"input": 1, "output": 1}}', 'must be the price of provider/model'],
  ['/nowhere/prices.json', 'the path of a file with one that can be read'],
  ['[]', 'must be an object of prices'],
])('the table %s is refused', (text, words) => {
  expect(() => readConfig({ ABODE_MODEL_PRICES: text })).toThrow(words)
})
