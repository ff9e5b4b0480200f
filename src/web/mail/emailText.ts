const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Returns the addresses in typed or pasted text, such as `Zoë <zoe@inn.example>, owner@inn.example`. */
export const addressesIn = (text: string): string[] =>
  text.split(/[,;\n]+/).flatMap((part) => {
    const inBrackets = /<([^<>]*)>/.exec(part)?.[1]
    return (inBrackets ?? part).split(/\s+/).filter(Boolean)
  })

const heading = 'We would like to know:'
const isSignature = ({ textContent }: Element) => /^(kind|best|warm) regards\b/i.test(textContent.trim())

/** Returns the questions that an email asks in the list that `withQuestions` has added. */
export function questionsIn(html: string): string[] {
  const list = findList(new DOMParser().parseFromString(html, 'text/html').body)
  return [...(list?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent.trim())
}

/** Returns an email with these questions in a list above the signature or, without one, at its end. */
export function withQuestions(html: string, questions: readonly string[]): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const list = findList(body)
  list?.previousElementSibling?.remove()
  list?.remove()
  if (questions.length > 0) {
    const added = `<p>${heading}</p><ol>${questions.map((one) => `<li><p>${escaped(one)}</p></li>`).join('')}</ol>`
    const signature = [...body.children].findLast(isSignature)
    if (signature) signature.insertAdjacentHTML('beforebegin', added)
    else body.insertAdjacentHTML('beforeend', added)
  }
  return body.innerHTML
}

const findList = (body: HTMLElement) =>
  [...body.querySelectorAll('p + ol')].find(
    (list) => list.previousElementSibling?.textContent.trim() === heading,
  )
