const wide = `${'| column '.repeat(60)}|\n${'|---'.repeat(60)}|\n${`${'| cell '.repeat(60)}|\n`.repeat(8)}`

/** What an author may post to break a page, hold a server, or have its readers load something: each fits into a reply. */
export const hostile: readonly string[] = [
  `${'>'.repeat(9_990)} x`,
  '['.repeat(10_000),
  `${'*a '.repeat(3_000)}b`,
  `${'- '.repeat(4_000)}x`,
  `w${'v'.repeat(9_999)}`,
  `\`${'c'.repeat(3_000)}\``,
  wide,
  '|'.repeat(9_999),
  `![p](https://evil.example/p.png) <img src="https://evil.example/i.png"> <svg onload=alert(1)>`,
  `[j](javascript:alert(1)) [d](data:text/html,x) [v](vbscript:x) <a href="javascript:alert(1)">x</a>`,
  `</article></main></body></html><script>alert(1)</script><!-- "'><style>*{display:none}</style>`,
  'e\u0301\u0301'.repeat(3_000),
  `# ${'h'.repeat(2_000)}\n\n[${'t'.repeat(2_000)}](https://evil.example/${'u'.repeat(1_500)})`,
  `1. ${'a\n1. '.repeat(1_900)}`,
  `\`\`\`${'i'.repeat(500)}\n${'k'.repeat(5_000)}\n\`\`\``,
  `مرحبا بالعالم <b>${'ش'.repeat(5_000)}</b>`,
]
