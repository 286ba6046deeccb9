import type { Entry } from './entries.ts'
import type { Chapter, Shape } from './chapter.ts'
import type { Row } from './rows.ts'
import type { TypeText } from './types.ts'

/** All groups, in Markdown. */
export function indexText(chapters: readonly Chapter[], publicUrl: string): string {
  const lines = chapters.flatMap(({ slug, title, description, entries }) => [
    `## [${title}](${publicUrl}/api-reference/${slug}.md)`,
    '',
    description,
    '',
    ...entries.map(
      ({ name, method, paths, summary }) => `- \`${name}\` (\`${method} ${paths[0]}\`): ${summary}`,
    ),
    '',
  ])
  return `# API reference

Every operation is a call of REST and, except those marked as REST only, a tool of the MCP door at \`${publicUrl}/mcp\` (its name with \`_\` for \`.\`) and a method of the A2A door at \`${publicUrl}/a2a/\`. The same for programs: ${publicUrl}/openapi.agent.json

${lines.join('\n')}`
}

/** One group, with everything about its operations. */
export function groupText(chapter: Chapter, publicUrl: string): string {
  const { title, description, entries, shapes } = chapter
  const parts = [
    `# ${title}`,
    `${description} All operations: ${publicUrl}/api-reference.md`,
    ...entries.map(entryText),
    ...(shapes.length > 0 ? ['## Shapes', ...shapes.map(shapeText)] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

function entryText(entry: Entry): string {
  const { name, summary, description, method, paths, who, members, calls, answer } = entry
  const parts = [
    `## ${name}`,
    description === undefined ? summary : `${summary} ${description}`,
    paths.map((path) => `\`${method} ${path}\``).join(', '),
    `Who may call: ${who}.${entry.isRestOnly ? ' REST only.' : ''}`,
    ...(members.length > 0 ? ['Input:', members.map((row) => rowText(row, true)).join('\n')] : []),
    block('sh', calls.curl),
    ...(calls.mcp === undefined ? [] : ['As an MCP tool call:', block('json', calls.mcp)]),
    ...(calls.a2a === undefined ? [] : ['As an A2A method:', block('json', calls.a2a)]),
    `Answer (${entry.status}):`,
    answer.members.map((row) => rowText(row, false)).join('\n'),
    ...(answer.isStream ? ['With `Accept: text/event-stream` the same as events.'] : []),
    ...(answer.example === undefined
      ? []
      : [block('json', JSON.stringify(answer.example, null, 2))]),
    'Refusals:',
    entry.refusals.map(({ status, says }) => `- ${status}: ${says}`).join('\n'),
  ]
  return parts.join('\n\n')
}

function shapeText({ name, description, rows }: Shape): string {
  const lines = rows.map((row) => rowText(row, false)).join('\n')
  return [`### ${name}`, ...(description === undefined ? [] : [description]), lines].join('\n\n')
}

function rowText({ name, place, type, isRequired, standard, description }: Row, isInput: boolean) {
  const facts = [
    ...(isInput ? [place] : []),
    typeWords(type),
    ...(isInput && isRequired ? ['required'] : []),
    ...(standard === undefined ? [] : [`default \`${standard}\``]),
  ]
  const meaning = description === undefined ? '' : `: ${description.replaceAll('\n', ' ')}`
  return `- \`${name === '' ? 'the whole' : name}\` (${facts.join(', ')})${meaning}`
}

function typeWords(type: TypeText): string {
  return type.map((part) => (typeof part === 'string' ? part : part.shape)).join('')
}

function block(kind: string, text: string): string {
  return `\`\`\`${kind}\n${text}\n\`\`\``
}
