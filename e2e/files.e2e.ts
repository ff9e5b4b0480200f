import { expect, type Page } from '@playwright/test'
import { asUser, expectAccessible } from './helpers.ts'
import { test } from './panel.ts'

/** Builds a minimal PDF with one page for each line of text. */
function pdfOf(...lines: string[]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${lines.length} /Kids [${lines.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...lines.flatMap((line, index) => {
      const drawing = `BT /F1 24 Tf 40 100 Td (${line}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
        `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const starts = objects.map((object, index) => {
    const start = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const table = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')}`
  return Buffer.from(
    `${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`,
  )
}

/** Keeps scripts from arriving until the returned function is called. */
async function holdScripts(page: Page, which: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(which, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test("a record's PDF is viewed in the panel page by page, and no other page loads the viewer", async ({
  page,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  const violations: string[] = []
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()))
  await asUser(page, 'editor')
  const arrive = await holdScripts(page, /FilesField|RichTextEditor/)
  await page.goto('/customer-contracts/new-contract')
  const create = page.getByRole('button', { name: 'Create contract' })
  await expect(page.getByText('Loading editor…')).toBeVisible()
  // The font, which is loading too, makes the button wider.
  await page.evaluate(() => document.fonts.ready)
  const before = await create.boundingBox()
  arrive()
  await expect(page.getByRole('textbox', { name: 'Content' })).toBeVisible()
  const files = page.getByLabel('Files', { exact: true })
  await expect(files).toHaveCount(1)
  // A button that moves while it is pressed isn't clicked.
  expect(await create.boundingBox()).toEqual(before)
  await page.getByRole('textbox', { name: 'Title' }).fill('Hire of presses')
  await files.setInputFiles({
    name: 'terms.pdf',
    mimeType: 'application/pdf',
    buffer: pdfOf('Presses for hire', 'Signed in November'),
  })
  await expect(
    page.getByRole('link', { name: 'Download terms.pdf' }).or(page.getByText('terms.pdf')).first(),
  ).toBeVisible()
  await create.click()
  await page.getByRole('link', { name: 'Hire of presses' }).first().click()
  expect(scripts.filter((url) => /PdfPreview|pdf\.worker/.test(url))).toEqual([])

  await page.getByRole('button', { name: 'terms.pdf', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'terms.pdf' })
  await expect(dialog.getByRole('img', { name: /Page 1 of terms\.pdf: Presses for hire/ })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Next page' }).click()
  await expect(dialog.getByRole('img', { name: /Page 2 of terms\.pdf: Signed in November/ })).toBeVisible()
  await page.screenshot({ path: 'test-results/pdf.png' })
  expect(violations).toEqual([])
})
