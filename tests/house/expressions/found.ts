import { parseAst } from 'vitest/node'
import { read, sources } from '../tree.ts'

/** A regular expression as it stands in the code. */
export interface Expression {
  path: string
  source: string
  flags: string
}

/** What the parser gives of a piece of code. */
type Node = Readonly<Record<string, unknown>>

/** Every regular expression of the product, and every file that puts one together as it runs. */
export function expressions(): { literals: Expression[]; makers: string[] } {
  const literals: Expression[] = []
  const makers = new Set<string>()
  for (const path of sources('src', 'protocol', 'adapters')) {
    visit(parseAst(read(path), { lang: 'ts' }), (node) => {
      // A literal has its pattern and flags beside its value.
      const { regex } = node as { regex?: { pattern: string; flags: string } }
      if (regex) literals.push({ path, source: regex.pattern, flags: regex.flags })
      const { type, callee } = node as { type?: string; callee?: { name?: string } }
      const isCall = type === 'NewExpression' || type === 'CallExpression'
      if (isCall && callee?.name === 'RegExp') makers.add(path)
    })
  }
  return { literals, makers: [...makers].sort() }
}

function visit(value: unknown, look: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, look)
  } else if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) {
    look(value as Node)
    for (const member of Object.values(value)) visit(member, look)
  }
}
