import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp'
import type { Expression } from './found.ts'

setFlagsFromString('--allow-natives-syntax')
// V8 leaves its optimization out once it has made much code, and without it counts more steps: so it is
// left out from the beginning, and each count is the same at any time.
setFlagsFromString('--no-regexp-optimization')
// V8's own way to make an expression that gives up after so many steps back: work, counted.
const limited = new Script(
  '(source, flags, limit) => %NewRegExpWithBacktrackLimit(source, flags, limit)',
).runInThisContext() as (source: string, flags: string, limit: number) => RegExp

/** What no attack holds, so that it stands for the end. */
const end = '\u{e000}'

/**
 * Whether an expression is done with a text after so many steps back. Loops are counted that V8 would go
 * through without: with an empty look ahead in each they are no simple loops, and greedy ones try all that
 * lazy ones may have to.
 */
export function isDoneWithin({ source, flags }: Expression, text: string, steps: number): boolean {
  const counted = countedSource(source, flags)
  // What does not match finds the end, unless it gave up before.
  const otherwise = flags.includes('y') ? '' : end
  const bounded = limited(`(?:${counted})|${otherwise}`, flags.replace(/[gd]/g, ''), steps)
  return bounded.exec(text + end) !== null
}

const known = new Map<string, string>()

function countedSource(source: string, flags: string): string {
  const key = `${flags} ${source}`
  const made = known.get(key) ?? withCountedLoops(source, flags)
  known.set(key, made)
  return made
}

function withCountedLoops(source: string, flags: string): string {
  const inserts: { at: number; text: string; drop?: number }[] = []
  visitRegExpAST(patternOf(source, flags), {
    onQuantifierEnter(node) {
      const { element, greedy, end: after } = node
      if (element.type === 'Assertion') return
      inserts.push({ at: element.start, text: '(?:(?=)' }, { at: element.end, text: ')' })
      if (!greedy) inserts.push({ at: after - 1, text: '', drop: 1 })
    },
  })
  // From behind, so that places stay.
  const ordered = inserts.sort((a, b) => b.at - a.at)
  return ordered.reduce((text, { at, text: put, drop = 0 }) => {
    return text.slice(0, at) + put + text.slice(at + drop)
  }, source)
}

/** The expression as a tree, whose places are those of its source. */
export function patternOf(source: string, flags: string): AST.Pattern {
  const unicodeSets = flags.includes('v')
  const unicode = flags.includes('u')
  return new RegExpParser().parsePattern(source, 0, source.length, { unicode, unicodeSets })
}
