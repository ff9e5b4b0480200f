import { Suspense } from 'react'
import { posts } from '#features/cms/articles/posts/contract.ts'
import { useMay } from '#web/api/useSend.ts'
import type { LinkDialogProps, LinkTargets } from '#web/richtext/RichTextField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChoosePost = lazyPart(() => import('#features/cms/articles/posts/web/ChoosePost.tsx'), 'ChoosePost')

const toPosts: LinkTargets = {
  label: 'Link to a post',
  Dialog: (props: LinkDialogProps) => (
    <Suspense>
      <ChoosePost {...props} />
    </Suspense>
  ),
}

/** Returns posts as link targets for the editor, chosen by name, if the viewer can see posts. */
export const useLinksToPosts = (): LinkTargets | undefined => (useMay(posts.getPost) ? toPosts : undefined)
