import { expect, test } from 'vitest'
import { pastedFiles } from '#web/files/pastedFiles.ts'

const image = new File(['x'], 'image.png', { type: 'image/png' })

const pasted = (texts: Record<string, string>) =>
  pastedFiles({
    files: [image],
    types: [...Object.keys(texts), 'Files'],
    getData: (type: string) => texts[type] ?? '',
  } as unknown as DataTransfer)

test('a screenshot, and an image copied from a page, are pasted as files', () => {
  expect(pasted({})).toEqual([image])
  expect(pasted({ 'text/html': '<img src="https://aalto.example/linen.png">' })).toEqual([image])
})

test('an image of copied text is left out, and so is nothing', () => {
  expect(pasted({ 'text/html': '<p>340 towels</p>', 'text/plain': '340 towels' })).toEqual([])
  expect(pastedFiles(null)).toEqual([])
})
