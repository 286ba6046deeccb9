import { visitNodes } from '../nodes.ts'
import { sources } from '../tree.ts'

/** A regular expression as it stands in the code. */
export interface Expression {
  path: string
  source: string
  flags: string
}

/** Every regular expression of the product, and every file that puts one together as it runs. */
export function expressions(): { literals: Expression[]; makers: string[] } {
  const literals: Expression[] = []
  const makers = new Set<string>()
  for (const path of sources('src', 'protocol', 'adapters')) {
    visitNodes(path, (node) => {
      // A literal has its pattern and flags in addition to its value.
      const { regex } = node as { regex?: { pattern: string; flags: string } }
      if (regex) literals.push({ path, source: regex.pattern, flags: regex.flags })
      const { type, callee } = node as { type?: string; callee?: { name?: string } }
      const isCall = type === 'NewExpression' || type === 'CallExpression'
      if (isCall && callee?.name === 'RegExp') makers.add(path)
    })
  }
  return { literals, makers: [...makers].sort() }
}
