import { isMap } from '#src/core/maps.ts'
import { secretReason } from './clean.ts'
import { textOf, type ForeignAgent, type Path, type Sorting } from './sort-members.ts'
import { bioCharactersAtMost, woven, type Part } from './prompt-text.ts'

type Members = Record<string, unknown>

const conversationsAtMost = 20
const postsAtMost = 20
/** Providers that have the same name here. */
const providers = ['openai', 'anthropic']

/**
 * The agent described by an elizaOS character.
 * @see docs/importing.md
 */
export function agentOfEliza(sorting: Sorting): ForeignAgent {
  sorting.nameBy(['name'], ['username'])
  dropSecrets(sorting)
  // The prompt first: members that are moved whole are gone afterwards.
  const system_prompt_override = promptOf(sorting)
  const agent: Members = {
    name: sorting.at(['name']) || sorting.at(['username']),
    tagline: sorting.moved(['description'], '/tagline', 500),
    bio: sorting.moved(['bio'], '/bio', bioCharactersAtMost),
    knowledge_domains: sorting.movedList(['topics'], '/knowledge_domains'),
    personality: personalityOf(sorting),
    appearance: appearanceOf(sorting),
    brain: { system_prompt_override, ...modelOf(sorting) },
  }
  const namePath = sorting.text(['name']) ? ['name'] : ['username']
  sorting.map(namePath, '/name')
  sorting.take(namePath)
  return { agent, namePath }
}

function dropSecrets(sorting: Sorting): void {
  for (const path of [['settings', 'secrets'], ['secrets']]) {
    const secrets = sorting.at(path)
    if (secrets === undefined) continue
    const names = isMap(secrets) ? Object.keys(secrets).filter((name) => secrets[name] !== '') : []
    for (const name of names) sorting.drop([...path, name], secretReason)
    if (names.length === 0 && !isMap(secrets)) sorting.drop(path, secretReason)
    sorting.take(path)
  }
}

function promptOf(sorting: Sorting): string {
  const { name } = sorting
  const own = sorting.text(['system'])
  const lines = (path: Path): string => sorting.list(path).join('\n')
  const parts: Part[] = [
    { path: own ? ['system'] : [], text: own || `You are ${name}.` },
    { path: ['bio'], before: `About ${name}:\n` },
    { path: ['lore'] },
    { path: ['adjectives'], before: `${name} is `, text: sorting.list(['adjectives']).join(', ') },
    { path: ['topics'], before: 'Topics: ', text: sorting.list(['topics']).join(', ') },
    { path: ['knowledge'], before: `${name} knows:\n`, text: knowledgeOf(sorting) },
    { path: ['style', 'all'], before: 'Style:\n', text: lines(['style', 'all']) },
    { path: ['style', 'chat'], before: 'In conversations:\n', text: lines(['style', 'chat']) },
    { path: ['style', 'post'], before: 'In posts:\n', text: lines(['style', 'post']) },
    {
      path: ['messageExamples'],
      before: `How ${name} speaks:\n`,
      text: conversationsOf(sorting),
    },
    { path: ['postExamples'], before: `What ${name} posts:\n`, text: postsOf(sorting) },
  ]
  return woven(sorting, parts)
}

/** Texts only: files and folders of another machine are not available. */
function knowledgeOf(sorting: Sorting): string {
  const knowledge = sorting.at(['knowledge'])
  const items = Array.isArray(knowledge) ? knowledge : [knowledge]
  return items
    .filter((item) => typeof item === 'string')
    .join('\n')
    .trim()
}

function postsOf(sorting: Sorting): string {
  const posts = sorting.at(['postExamples'])
  const texts = Array.isArray(posts) ? posts.map(contentOf) : [sorting.text(['postExamples'])]
  return texts.filter(Boolean).slice(0, postsAtMost).join('\n\n')
}

/** Conversations, at any depth of the file: each message with its speaker. */
function conversationsOf(sorting: Sorting): string {
  const examples = sorting.at(['messageExamples'])
  if (!Array.isArray(examples)) return ''
  const told = examples.slice(0, conversationsAtMost).map((example: unknown) => {
    const inner = isMap(example) && Array.isArray(example.examples) ? example.examples : example
    const messages: unknown[] = Array.isArray(inner) ? inner : [inner]
    return messages.map(messageOf).filter(Boolean).join('\n')
  })
  return told.filter(Boolean).join('\n\n')
}

function messageOf(message: unknown): string {
  if (typeof message === 'string') return message
  if (!isMap(message)) return ''
  const { name, user, content } = message
  const text = contentOf(content ?? message)
  const speaker = textOf(name ?? user)
  return text && speaker ? `${speaker}: ${text}` : text
}

function contentOf(content: unknown): string {
  return (isMap(content) ? textOf(content.text) : textOf(content)).trim()
}

function personalityOf(sorting: Sorting): Members | null {
  const traits = sorting.movedList(['adjectives'], '/personality/traits')
  const path = ['style', 'all']
  const style = sorting.list(path).join('; ')
  if (style) sorting.map(path, '/personality/communication_style')
  if (traits.length === 0 && !style) return null
  return { traits, communication_style: style ? sorting.fitting(style, path, 5000) : null }
}

function appearanceOf(sorting: Sorting): Members | null {
  const places = [['settings', 'avatar'], ['settings', 'image'], ['avatar'], ['image']]
  const path = places.find((place) => /^https?:\/\//i.test(sorting.text(place)))
  if (!path || sorting.text(path).length > 2000) return null
  return { avatar_url: sorting.moved(path, '/appearance/avatar_url', 2000) }
}

/** Model settings that mean the same here; an agent without any uses the operator's. */
function modelOf(sorting: Sorting): Members {
  const provider = sorting.text(['modelProvider']).toLowerCase()
  const model: Members = {}
  if (providers.includes(provider)) {
    model.llm_provider = provider
    sorting.map(['modelProvider'], '/brain/llm_provider')
    sorting.take(['modelProvider'])
    const places = [['settings', 'model'], ['model']]
    const path = places.find((place) => sorting.text(place) !== '')
    if (path) model.llm_model = sorting.moved(path, '/brain/llm_model', 200)
  }
  for (const [names, member, isFit] of numbers) {
    const path = names.find((place) => isFit(numberOf(sorting.at(place))))
    if (!path) continue
    model[member] = numberOf(sorting.at(path))
    sorting.map(path, `/brain/${member}`)
    sorting.take(path)
  }
  return model
}

const numbers: readonly (readonly [readonly Path[], string, (value: number) => boolean])[] = [
  [
    [
      ['settings', 'modelConfig', 'temperature'],
      ['settings', 'temperature'],
    ],
    'temperature',
    (value) => value >= 0 && value <= 2,
  ],
  [
    [
      ['settings', 'modelConfig', 'maxOutputTokens'],
      ['settings', 'maxOutputTokens'],
      ['settings', 'maxTokens'],
    ],
    'max_tokens',
    (value) => Number.isInteger(value) && value >= 1 && value <= 128_000,
  ],
]

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}
