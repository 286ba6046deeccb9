/** The page `/robots.txt`: everything published may be read; what is personal must not be indexed. */
export function robots(publicUrl: string): string {
  const personal = ['/approvals/', '/claim/', '/pay/', '/settings', '/sign-in', '/metrics']
  return [
    'User-agent: *',
    ...personal.map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

/** The page `/sitemap.xml`. @param paths of pages, each with a leading slash */
export function sitemap(publicUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `<url><loc>${escaped(publicUrl + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** The mark of the service: a roof over a door, in a colour visible on light and dark. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="Abode"><path d="M32 8 6 30h8v26h36V30h8z" fill="none" stroke="#5b7fd6" stroke-width="5" stroke-linejoin="round"/><path d="M26 56V40a6 6 0 0 1 12 0v16" fill="none" stroke="#5b7fd6" stroke-width="5"/></svg>
`
