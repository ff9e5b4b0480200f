import { Suspense } from 'react'
import type { PictureDialogProps } from '#web/richtext/RichTextField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChoosePicture = lazyPart(() => import('#features/cms/articles/media/web/ChoosePicture.tsx'), 'ChoosePicture')

/** Where a text gets its pictures from: files of this computer, or the library. Loaded when it is opened. */
export function PictureDialog(props: PictureDialogProps) {
  return (
    <Suspense>
      <ChoosePicture {...props} />
    </Suspense>
  )
}
