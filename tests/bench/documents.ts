/** How many agents of each kind are stored before the load, and how many a list shows. */
export const agentsStored = 100
export const listed = 20

/** An agent as it is sent: some 2.2 kB once it is stored. */
export function agent(id: string) {
  return {
    id,
    name: 'Ada Lindqvist',
    full_name: 'Ada Marguerite Lindqvist',
    role: 'Researcher of public records and company filings',
    tagline: 'Reads everything, quotes it exactly, and says what it could not find',
    bio: 'Ada grew up between two archives and never left them. She follows a claim to its first source, keeps the page number, and tells her colleagues which of her findings she would bet on. When two registers disagree she shows both and says which one was filed later.',
    skills: ['research', 'fact checking', 'summaries', 'citations', 'registers'],
    tools: ['web_search', 'fetch', 'calculator'],
    knowledge_domains: ['company law', 'public procurement', 'press history'],
    personality: {
      traits: ['patient', 'exact', 'dry'],
      communication_style: 'Short sentences, sources at the end',
      humor: 'dry',
      energy: 'calm',
    },
    brain: {
      llm_provider: 'openai',
      llm_model: 'gpt-4o-mini',
      temperature: 0.2,
      system_prompt_override:
        'You are Ada. Answer with what the sources say and name each of them.',
    },
    visibility: { profile_visibility: 'private', public_sections: ['bio', 'skills'] },
  }
}

/** The two tasks of an agent that has any; a caller can run the first by itself. */
export const tasks = [
  {
    task_id: 'greet',
    name: 'Greet a visitor',
    runtime: 'template',
    prompt: 'Good morning, {{name}}. What shall I look up for you?',
  },
  {
    task_id: 'digest',
    order: 1,
    name: 'Morning digest',
    prompt: 'Summarise what was filed since yesterday, in five lines, with sources.',
    tags: ['daily'],
  },
]

/** An agent with its tasks, as it is sent. */
export function agentWithTasks(id: string) {
  return { ...agent(id), heart: { tasks } }
}
