/** Generated from plugins/images/images/options.json by `npm run generate`. Do not edit. */

export interface Options {
  /** Most different image URLs and uploaded files of one request. */
  readonly max_urls: number
  /** Most bytes that the images of one request take, fetched or uploaded before, all together: each as often as the request shows it. */
  readonly max_bytes: number
  /** Time for getting all images of one request, in milliseconds. */
  readonly timeout_ms: number
}
