import { describe, expect, it } from 'vitest'
import { product } from './districts.ts'
import { told, type Told } from './refusals/told.ts'
import { read } from './tree.ts'

/** Texts that are told in several places, each named by its first place. */
function faultsIn(texts: readonly Told[]): string[] {
  const groups = Map.groupBy(texts, ({ text }) => text)
  return [...groups]
    .filter(([, all]) => all.length > 1 && all.some(({ refuses }) => refuses))
    .map(([text, all]) => `${all.map(({ place }) => place).join(' and ')}: ${text}`)
}

/** The same for files of these texts. */
function faultsOf(...files: string[]): string[] {
  return faultsIn(told(files.map((text, i) => ({ path: `${i}.ts`, text }))))
}

describe('the text of a refusal', () => {
  it('stands in one place', () => {
    const faults = faultsIn(told(product.map((path) => ({ path, text: read(path) }))))
    expect(faults).toEqual([])
  })

  it('is found again in another file, with other values filled in', () => {
    const one = "refuse('gone', `There is no order ${id} any more.`)"
    const other = "\nthrow new Refusal('gone', `There is no order ${order.id} any more.`)"
    expect(faultsOf(one, other)).toEqual(['0.ts:1 and 1.ts:2: There is no order ${…} any more.'])
  })

  it('is found as a hint, in a constant, in pieces, and by functions that refuse', () => {
    const text = 'Send it again in a few seconds.'
    const found = [`0.ts:1 and 1.ts:1: ${text}`]
    const hint = `refuse('gone', words, { hint: late ? '${text}' : undefined })`
    expect(faultsOf(hint, `const todo = '${text}'`)).toEqual(found)
    expect(faultsOf(hint, "call('Send it again ' + 'in a few seconds.')")).toEqual(found)
    const own = `function late(words: string): never { throw words }; late('${text}')`
    expect(faultsOf(own, `call('${text}')`)).toEqual(found)
  })

  it('is told from what is short, refuses no one, or says when a code is answered', () => {
    expect(faultsOf("refuse('gone', 'It is gone.')", "refuse('gone', 'It is gone.')")).toEqual([])
    const label = "call('The orders of this week')"
    expect(faultsOf(label, label)).toEqual([])
    const means = "const codes = { gone: { means: 'The order is no longer here.' } }"
    expect(faultsOf("refuse('gone', 'The order is no longer here.')", means)).toEqual([])
  })
})
