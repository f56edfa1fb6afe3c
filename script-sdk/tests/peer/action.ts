import {
  ActionProvider,
  DENOBRIDGE_VERSION,
} from "@brad-jones/terraform-provider-denobridge";

new ActionProvider<{ destination: string }>({
  async invoke({ destination }, progressCallback) {
    await progressCallback(`about to write ${destination}`);
    await progressCallback(`done by ${DENOBRIDGE_VERSION.length > 0}`);
  },
});
