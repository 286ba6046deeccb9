import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** A node of the code's tree, as far as it is looked at. */
interface Node {
  type: string
  value?: unknown
  quasis?: { value: { raw: string } }[]
  properties?: { key?: { name?: string } }[]
  expression?: Node
  callee?: Node
  object?: Node
  property?: { name?: string }
  consequent?: Node
  alternate?: Node | null
}

/** Why nothing is changed here, where that is so. */
function shouldIgnore({ node }: { node: Node }): string | undefined {
  if (isWording(node)) return 'wording'
  if (isOnly(node, 'limit')) return 'how much is read'
  return isWake(node) ? 'how soon' : undefined
}

/**
 * What is said to people: a text with a blank in it, for names have none, and a refusal's hint. Tests
 * hold that it is there, and not its words.
 */
function isWording(node: Node): boolean {
  const text =
    node.type === 'TemplateLiteral'
      ? node.quasis?.map(({ value }) => value.raw).join('')
      : node.type === 'StringLiteral' && node.value
  return (typeof text === 'string' && text.includes(' ')) || isOnly(node, 'hint')
}

/** An object with this member alone. `{ limit: 1 }` reads no more rows than are looked at. */
function isOnly(node: Node, name: string): boolean {
  const { type, properties = [] } = node
  return type === 'ObjectExpression' && properties.length === 1 && properties[0]?.key?.name === name
}

/**
 * A call that wakes a loop that would look by itself later; or a condition on such a call alone.
 * The tests of the loops hold, where it matters, that the wake is immediate.
 */
function isWake({ type, expression, consequent, alternate }: Node): boolean {
  if (type === 'IfStatement') return !alternate && consequent !== undefined && isWake(consequent)
  if (type !== 'ExpressionStatement' || expression?.type !== 'CallExpression') return false
  const { object, property } = expression.callee ?? {}
  const of = object?.property?.name
  return of === 'wake' || (of === 'waiting' && property?.name === 'tell')
}

/** What Stryker loads. */
export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'ignored', { shouldIgnore })]
