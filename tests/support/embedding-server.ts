import { startWebServer } from './web-server.ts'

/** Words that mean the same have the same place in a vector. */
const meanings = [
  ['ship', 'boat', 'vessel'],
  ['cat', 'feline', 'kitten'],
  ['rain', 'drizzle', 'shower'],
]
const rest = 5

/** A provider of embeddings in the dialect of OpenAI, on the loopback. */
export interface EmbeddingServer {
  /** For `OPENAI_BASE_URL`. */
  baseUrl: string
  /** The texts of each request so far. */
  asked: string[][]
  /** Answers with this status from now on; 200 is what it does by default. */
  status: number
  /** What it says of any other status. */
  words: string
  /** Leaves requests unanswered. */
  isSilent: boolean
  close(): void
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const site = await startWebServer()
  const server: EmbeddingServer = {
    baseUrl: `${site.origin}/v1`,
    asked: [],
    status: 200,
    words: 'not now',
    isSilent: false,
    close: () => site.close(),
  }
  site.on('/v1/embeddings', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    // What the library sends has this form.
    const { input, model } = JSON.parse(Buffer.concat(chunks).toString()) as {
      input: string[]
      model: string
    }
    server.asked.push(input)
    if (server.isSilent) return
    if (server.status !== 200) {
      response.writeHead(server.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: server.words } }))
      return
    }
    const data = input.map((text, index) => ({ index, embedding: meaningOf(text) }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: 1 } }))
  })
  return server
}

function meaningOf(text: string): number[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  const vector = Array.from({ length: meanings.length + rest }, () => 0)
  for (const word of words) {
    const meaning = meanings.findIndex((same) => same.includes(word))
    const place = meaning < 0 ? meanings.length + (word.length % rest) : meaning
    vector[place] = (vector[place] ?? 0) + (meaning < 0 ? 0.05 : 1)
  }
  return vector
}
