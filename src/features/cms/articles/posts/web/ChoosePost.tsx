import { useState } from 'react'
import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { searchText } from '#shared/search-text.ts'
import { posts } from '#features/cms/articles/posts/contract.ts'
import classes from '#features/cms/articles/posts/web/posts.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { ErrorState } from '#web/list/states.tsx'
import type { LinkDialogProps } from '#web/richtext/RichTextField.tsx'
import { useProduct } from '#web/session.ts'
import { useDialog } from '#web/parts/useDialog.ts'
import { Soft } from '#web/parts/Soft.tsx'

const mostShown = 20

/**
 * Dialog for choosing a post of the product to link to. The link refers to the post itself, so it
 * continues to work if the post is renamed.
 */
export function ChoosePost({ onChoose, onClose }: LinkDialogProps) {
  const dialog = useDialog()
  const product_id = useProduct()
  const [words, setWords] = useState('')
  const { data, error, refetch } = useQuery(
    queryOptionsFor(posts.getPost, { query: product_id === undefined ? {} : { product_id } }),
  )
  const found = (data?.data ?? [])
    .filter(({ title }) => searchText(title).includes(searchText(words.trim())))
    .slice(0, mostShown)
  const choose = ({ id, title }: (typeof found)[number]) => onChoose({ href: `post:${id}`, text: title })
  return (
    <Modal {...dialog} opened onClose={onClose} title="Link to a post">
      <div className={classes.dialog}>
        <TextInput
          label="Search posts"
          description="Press Enter to choose the first result."
          data-autofocus
          maxLength={200}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (found[0]) choose(found[0])
          }}
        />
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && found.length === 0 && (
          <Soft>{words.trim() === '' ? 'No posts yet.' : 'No posts found.'}</Soft>
        )}
        <ul className={classes.choices} aria-label="Posts">
          {found.map((post) => (
            <li key={post.id}>
              <Button size="xs" variant="subtle" justify="start" fullWidth onClick={() => choose(post)}>
                {post.title}
                {post.published === 0 && ' (unpublished)'}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Modal>
  )
}
