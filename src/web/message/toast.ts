import type { ReactNode } from 'react'

interface ToastOptions {
  /** Top right unless the specification says otherwise (A §8: a profile that could not be saved). */
  position?: 'top-right' | 'top-center'
  /** Undo button, if the action can be undone. */
  undo?: { label: string; onUndo: () => void }
  /** Subject of the message, which takes the place of an earlier one with the same subject. */
  about?: string
}

interface Toast extends ToastOptions {
  kind: 'success' | 'failure' | 'notice'
  message: ReactNode
}

export const toastMs = 2500

/** Shows a message in a corner of the screen for 2500 ms. */
export const toast = {
  success: (message: ReactNode, options?: ToastOptions) => say({ kind: 'success', message, ...options }),
  failure: (message: ReactNode, options?: ToastOptions) => say({ kind: 'failure', message, ...options }),
  notice: (message: ReactNode, options?: ToastOptions) => say({ kind: 'notice', message, ...options }),
}

const waiting: Toast[] = []
let show: ((toast: Toast) => void) | undefined
let wasUsed = false
let tellWanted = () => {}

/**
 * Registers the function that shows toasts, and shows any that are waiting, because the shell loads this code
 * with the first toast.
 */
export function showToastsWith(shown: (toast: Toast) => void): () => void {
  show = shown
  for (const toast of waiting.splice(0)) shown(toast)
  return () => {
    show = undefined
  }
}

export const hasToasts = (): boolean => wasUsed

export function listenForToasts(listener: () => void): () => void {
  tellWanted = listener
  return () => {
    tellWanted = () => {}
  }
}

function say(toast: Toast): void {
  wasUsed = true
  if (show) show(toast)
  else waiting.push(toast)
  tellWanted()
}
