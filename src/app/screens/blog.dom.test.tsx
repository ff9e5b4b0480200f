import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  choose,
  chooseFound,
  fill,
  openPanel,
  press,
  write as writeText,
  undoLast,
} from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { makePost } from '#features/cms/articles/articles.testing.ts'
import { storeProduct } from '#web/session.ts'

const row = (name: string) =>
  within(screen.getByRole('rowheader', { name }).closest<HTMLElement>('[role=row], tr')!)
/** Writes a post with a tag, in a category of product 1. */
async function write(app: TestApp, who: TestClient, title: string): Promise<string> {
  const { data: found } = await app.as('admin').get('/admin/categories?product_id=1')
  const category =
    found[0]?.id ??
    (await app.as('admin').post('/admin/categories?product_id=1', { title: 'News' }))['data'].id
  const body = { title, body: '<p>Hello</p>', category, tags: ['RFID'] }
  const { status, data } = await who.post('/admin/posts?product_id=1', body)
  expect(status).toBe(200)
  return data.slug
}

const onlyAdmin = 'Only an admin can do this.'

test('a user who cannot publish a post sees the reason, and its author’s name leads to their posts', async () => {
  const app = await startTestApp()
  await write(app, app.as('super_admin'), 'Sheets')
  await write(app, app.as('editor'), 'Towels')
  const { address } = await openPanel(app, 'editor', '/posts')
  await screen.findByRole('rowheader', { name: 'Sheets' })
  const publish = row('Sheets').getByRole('button', { name: 'Publish Sheets' })
  expect(publish.title).toBe('Only an admin or a category moderator can do this.')
  fireEvent.click(row('Sheets').getByRole('link', { name: 'Ingrid Solheim' }))
  await screen.findByRole('heading', { level: 1, name: 'Posts by Ingrid Solheim' })
  expect(address()).toMatch(/^\/users\/[\w-]+\/posts$/)
  await screen.findByRole('rowheader', { name: 'Sheets' })
  expect(screen.getAllByRole('rowheader')).toHaveLength(1)
})

test('a user who cannot change tags and categories sees the reason', async () => {
  const app = await startTestApp()
  await write(app, app.as('super_admin'), 'Sheets')
  const { go } = await openPanel(app, 'editor', '/tags')
  expect((await screen.findByRole('button', { name: 'Move to trash: RFID' })).title).toBe(onlyAdmin)
  expect(screen.getByRole('button', { name: 'Rename RFID' }).getAttribute('aria-disabled')).toBe('true')
  await go('/categories')
  expect((await screen.findByRole('button', { name: 'Moderators of News' })).title).toBe(onlyAdmin)
  const [create] = screen.getAllByRole('button', { name: 'New category' })
  expect(create!.title).toBe(onlyAdmin)
  fireEvent.click(create!)
  // A dialog would be open before another page is.
  await go('/tags')
  await screen.findByRole('button', { name: 'Rename RFID' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('product 2 shows no posts of other products', async () => {
  const app = await startTestApp()
  await write(app, app.as('super_admin'), 'Sheets')
  await openPanel(app, 'editor', '/posts')
  await screen.findByRole('rowheader', { name: 'Sheets' })
  act(() => storeProduct(2))
  await screen.findByText('This product has no blog')
  expect(screen.queryAllByRole('row')).toEqual([])
})

test('comments are marked one by one and in bulk, and restored', async () => {
  const app = await startTestApp()
  const { id: post_id } = await makePost(app)
  const comments = ['Ada', 'Ben', 'Cleo', 'Dan'].map((sender_name) => ({
    post_id,
    sender_name,
    body: 'Nice',
  }))
  await app.db.insertInto('post_comments').values(comments).execute()
  const { address } = await openPanel(app, 'super_admin', '/comments?state=0')
  const pending = async (count: number) => {
    const tabs = within(await screen.findByRole('group', { name: 'Status' }))
    await waitFor(() =>
      expect(tabs.getByRole('button', { name: /^Pending/ }).textContent.replace(/\D/g, '')).toBe(
        String(count),
      ),
    )
  }
  await pending(4)
  press('j')
  press('Enter')
  const pane = within(screen.getByRole('region', { name: 'Reading pane' }))
  await pane.findByRole('button', { name: 'Approve' })
  const opened = address()
  press('a')
  await pending(3)
  // The next comment opens.
  await waitFor(() => expect(address()).not.toBe(opened))
  await undoLast()
  await pending(4)
  for (const box of screen.getAllByRole('checkbox', { name: /^Select / }).slice(0, 2)) fireEvent.click(box)
  const selected = within(await screen.findByRole('group', { name: 'Selected rows' }))
  fireEvent.click(await selected.findByRole('button', { name: 'Spam' }))
  await pending(2)
  await undoLast()
  await pending(4)
})

test('a tag is renamed, moved to the trash, and restored', async () => {
  const app = await startTestApp()
  await write(app, app.as('super_admin'), 'Sheets')
  await openPanel(app, 'super_admin', '/tags')
  fireEvent.click(await screen.findByRole('button', { name: 'Rename RFID' }))
  const dialog = within(await screen.findByRole('dialog'))
  fill(dialog.getByRole('textbox', { name: /^Name/ }), 'Chips in linen')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Move to trash: Chips in linen' }))
  await waitFor(() => expect(screen.queryByRole('rowheader', { name: 'Chips in linen' })).toBeNull())
  await undoLast()
  await screen.findByRole('rowheader', { name: 'Chips in linen' })
})

test('meta tags are previewed and saved', async () => {
  const app = await startTestApp()
  await openPanel(app, 'super_admin', '/meta-tag-setting')
  const side = within(await screen.findByRole('group', { name: 'Category pages' }))
  fill(side.getByRole('textbox', { name: 'Meta title' }), 'All about linen')
  fill(side.getByRole('textbox', { name: 'Meta description' }), 'x'.repeat(161))
  const preview = (of: string) =>
    screen.getByRole('region', { name: `Search result preview for ${of}` }).textContent
  await waitFor(() => expect(preview('Category pages')).toContain('All about linen'))
  expect(preview('Category pages')).toContain(
    'The meta description has 161 characters. Search engines show only the first 160.',
  )
  expect(preview('FAQ pages')).not.toContain('All about linen')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/^Updated .* by /)
  expect((await app.as('super_admin').get('/admin/metatag/1')).text).toContain('All about linen')
})

test('a post gets a new author, and the old one again', async () => {
  const app = await startTestApp()
  const slug = await write(app, app.as('super_admin'), 'Sheets')
  await openPanel(app, 'super_admin', `/posts/${slug}`)
  const author = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Author' })
  await within(author).findByRole('option', { name: 'Nadia Rahman' })
  const before = author.value
  await choose(() => author, String(app.as('editor').id))
  await screen.findByText('Post author changed.')
  await waitFor(() => expect(author.value).toBe(String(app.as('editor').id)))
  await undoLast()
  await waitFor(() => expect(author.value).toBe(before))
})

test('an admin assigns tags to a post of another author on its page', async () => {
  const app = await startTestApp()
  const slug = await write(app, app.as('editor'), 'Sheets')
  await openPanel(app, 'admin', `/posts/${slug}`)
  const about = await screen.findByRole('region', { name: 'About this post' })
  fireEvent.click(within(about).getByRole('button', { name: 'Edit tags: Sheets' }))
  const dialog = within(await screen.findByRole('dialog'))
  fill(dialog.getByLabelText('Tags', { selector: 'input' }), 'Harbor hotels')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(about.textContent).toContain('#Harbor hotels'))
  await undoLast()
  await waitFor(() => expect(about.textContent).not.toContain('#Harbor hotels'))
})

test('a half-typed tag is saved with the post', async () => {
  const app = await startTestApp()
  await app.as('admin').post('/admin/categories?product_id=1', { title: 'Washing' })
  const { address } = await openPanel(app, 'editor', '/posts/new-post')
  fill(await screen.findByRole('textbox', { name: /^Title/ }), 'Rinsing in cold water')
  await chooseFound(await screen.findByRole('combobox', { name: /^Category/ }), 'Washing')
  await writeText('Content', 'It saves half of the gas.')
  fill(screen.getByLabelText('Tags', { selector: 'input' }), 'cold wash')
  fireEvent.click(screen.getByRole('button', { name: 'Create post' }))
  await waitFor(() => expect(address()).toContain('rinsing-in-cold-water'))
  expect(await screen.findAllByText('#cold wash')).not.toEqual([])
})
