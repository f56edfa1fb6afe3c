/**
 * Which library this is.
 *
 * @module
 */

/** The version of this library. */
export const DENOBRIDGE_VERSION = "0.1.0";
