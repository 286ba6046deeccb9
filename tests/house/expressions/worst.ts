import { visitRegExpAST, type AST } from '@eslint-community/regexpp'
import type { Expression } from './found.ts'
import { patternOf } from './steps.ts'

/** Characters that loops are tried with, besides those of the expression itself. */
const letters = Array.from('aA0 _-./<>[](){}"\'`*\\:@=&%#!?,;+~|$^é漢\n\t')
/** Texts that follow a loop, so that it has to backtrack. */
const ends = ['', '!', 'a', '\n', ' ', '\u{1}']

/**
 * Texts of a length that an expression takes long with, made of itself: what leads to each of its loops,
 * then what the loop takes, again and again, then what does not go on; and its own beginnings, repeated,
 * of which each is looked at to its end.
 */
export function* worstTexts({ source, flags }: Expression, length: number): Generator<string> {
  const pattern = patternOf(source, flags)
  const own = new Set<string>()
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => void own.add(String.fromCodePoint(value)),
  })
  const alphabet = [...own, ...letters]
  const seen = new Set<string>()
  const loops = loopsOf(pattern)
  for (const { before, element } of loops) {
    const takes = new RegExp(`^(?:${element.raw})$`, flags.replace(/[gyd]/g, ''))
    const whole = sampleOf(element, alphabet)
    const pumps = [...alphabet.filter((one) => takes.test(one)).slice(0, 12), whole]
    for (const pump of new Set(pumps)) {
      if (pump === '') continue
      for (const lead of new Set([before, ''])) {
        for (const end of ends) seen.add(filled(lead, pump, end, length))
        // The loop begins again and again.
        seen.add(filled('', lead + pump.repeat(Math.min(80, length)), '', length))
      }
    }
  }
  for (const alternative of pattern.alternatives) {
    const parts = alternative.elements.map((one) => sampleOf(one, alphabet))
    for (let count = 1; count <= parts.length; count++) {
      const beginning = parts.slice(0, count).join('')
      if (beginning !== '') seen.add(filled('', beginning, '', length))
    }
  }
  for (const letter of alphabet) seen.add(filled('', letter, '\u{1}', length))
  yield* seen
}

function filled(lead: string, pump: string, end: string, length: number): string {
  const room = Math.max(0, length - lead.length - end.length)
  return (lead + pump.repeat(Math.ceil(room / pump.length)).slice(0, room) + end).slice(0, length)
}

interface Loop {
  /** Something that leads to it. */
  before: string
  element: AST.QuantifiableElement
}

function loopsOf(pattern: AST.Pattern): Loop[] {
  const found: Loop[] = []
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      const { element, max } = node
      if (max > 4 && element.type !== 'Assertion') found.push({ before: leadOf(node), element })
    },
  })
  return found
}

/** A text that what stands before a node takes, in its own alternative and those around. */
function leadOf(node: AST.Node): string {
  const { parent } = node
  if (!parent) return ''
  if (parent.type !== 'Alternative') return leadOf(parent)
  const own = parent.elements.slice(0, parent.elements.indexOf(node as AST.Element))
  return leadOf(parent) + own.map((one) => sampleOf(one, letters)).join('')
}

/** The shortest text, or nearly so, that a part of an expression takes. */
function sampleOf(node: AST.Element, alphabet: readonly string[]): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value)
    case 'Quantifier':
      return sampleOf(node.element, alphabet).repeat(Math.max(1, Math.min(node.min, 300)))
    case 'Group':
    case 'CapturingGroup':
      return (node.alternatives[0]?.elements ?? []).map((one) => sampleOf(one, alphabet)).join('')
    case 'Assertion':
    case 'Backreference':
      return ''
    default: {
      // A class of any kind: the first character that it matches.
      for (const flags of ['', 'u', 'v']) {
        try {
          const one = new RegExp(`^${node.raw}$`, flags)
          const taken = alphabet.find((letter) => one.test(letter))
          if (taken !== undefined) return taken
        } catch {
          // Written for other flags.
        }
      }
      return 'a'
    }
  }
}
